/* brute.c -- all permutations, each step straight from the definitions.
 *
 * Nothing of src/check is used but the names of the properties.  Results are brought
 * into the specification's form here once more, in the few cases that the random
 * histories have.
 */
#include "brute.h"

#include <string.h>

#include "../naive_excuse.h"

struct brute {
	const struct lp_history *h;
	const struct lp_spec *spec;
	struct lp_spec strict; /* without failures that others explain */
	enum lp_property property;
	uint64_t done;
	uint64_t effective; /* of those done: what changed the state, as one that did not return need not */
	uint64_t group; /* calls since the last settled state: they overlap each other */
};

/* Quiescent: some moment after a's end and before b's start has no open call. */
static bool quiet_between(const struct lp_history *h, uint32_t a, uint32_t b)
{
	/* Just after an end is enough: nothing else makes it quieter. */
	for (uint32_t m = 0; m < h->count; m++) {
		const int64_t moment = h->at[m].end;
		bool quiet = moment != LP_PENDING && h->at[a].end <= moment && moment < h->at[b].start;
		for (uint32_t i = 0; i < h->count && quiet; i++)
			quiet = h->at[i].start > moment || h->at[i].end <= moment;
		if (quiet)
			return true;
	}
	return false;
}

bool brute_precedes(const struct lp_history *h, enum lp_property property, uint32_t a,
		    uint32_t b)
{
	switch (property) {
	case LP_LINEARIZABLE:
	case LP_QUASI:
		/* Of two that take no time at all, neither is first. */
		if (h->ties_are_ordered && h->at[a].end == h->at[b].start)
			return h->at[a].start < h->at[a].end || h->at[b].start < h->at[b].end;
		return h->at[a].end < h->at[b].start;
	case LP_SEQUENTIAL:
		/* Calls are listed by start; a thread's do not overlap. */
		return a < b && h->at[a].thread == h->at[b].thread;
	case LP_QUIESCENT:
		return quiet_between(h, a, b);
	case LP_SERIALIZABLE:
	case LP_WEAK:
		return false;
	}
	return false;
}

static uint32_t method_of(const struct brute *b, uint32_t call)
{
	const char *name = b->h->methods.at[b->h->at[call].method];

	return lp_method_named(b->spec->kind, name, strlen(name));
}

/* Do other calls explain that it failed? */
static bool is_excused(const struct brute *b, uint32_t call, const struct lp_state *s)
{
	const struct lp_history *h = b->h;
	struct naive_other others[64];
	uint32_t count = 0;

	for (uint32_t i = 0; i < h->count; i++) {
		const uint32_t m = method_of(b, i);
		if (i != call)
			others[count++] = (struct naive_other){
				.method = m, .arg = h->at[i].arg[0], .earlier = b->effective >> i & 1,
				.failed = naive_failed(b->spec, m, h->at[i].results == 1, h->at[i].result),
				.overlaps = !brute_precedes(h, b->property, i, call) && !brute_precedes(h, b->property, call, i),
			};
	}
	return naive_excused(b->spec, method_of(b, call), h->at[call].results == 1, h->at[call].result, s, others, count);
}

static bool can_finish(struct brute *b, const struct lp_state *s)
{
	const struct lp_history *h = b->h;
	bool complete = true;

	for (uint32_t i = 0; i < h->count; i++)
		complete &= (b->done >> i & 1) || lp_call_is_pending(&h->at[i]);
	if (complete && lp_spec_is_settled(b->spec, s))
		return true;

	struct lp_state next;
	bool found = false;
	lp_state_open(&next);
	for (uint32_t i = 0; i < h->count && !found; i++) {
		const struct lp_call *c = &h->at[i];
		bool ready = !(b->done >> i & 1);
		for (uint32_t j = 0; j < h->count && ready; j++)
			ready = ((b->done & ~b->group) >> j & 1) ||
				!brute_precedes(h, b->property, j, i);
		if (!ready)
			continue;
		const uint32_t m = method_of(b, i);
		const bool chooses = b->spec->kind->methods[m].roles & LP_CHOOSES;
		struct lp_spec_call call = { .arg = c->arg, .args = c->args,
					     .thread = c->thread, .results = c->results,
					     .result = lp_call_results(h, c) };
		for (call.choice = 0; !found; call.choice++) {
			lp_state_copy(&next, s);
			if (lp_spec_step(&b->strict, m, &next, &call) != LP_ACCEPTS) {
				if (!is_excused(b, i, s))
					break;
				lp_state_copy(&next, s);
			}
			const uint64_t group = b->group;
			b->done |= UINT64_C(1) << i;
			b->effective |= (uint64_t)!lp_state_equal(s, &next) << i;
			b->group = lp_spec_is_settled(b->spec, &next) ? 0 : group | UINT64_C(1) << i;
			found = can_finish(b, &next);
			b->done &= ~(UINT64_C(1) << i);
			b->effective &= ~(UINT64_C(1) << i);
			b->group = group;
			if (!chooses)
				break;
		}
	}
	lp_state_close(&next);
	return found;
}

bool brute_is_right(const struct lp_history *h, const struct lp_spec *spec,
		    enum lp_property property)
{
	struct brute b = { .h = h, .spec = spec, .strict = naive_strict(spec), .property = property };
	struct lp_state s;

	lp_state_open(&s);
	lp_state_begin(&s, spec);
	const bool right = can_finish(&b, &s);
	lp_state_close(&s);
	return right;
}
