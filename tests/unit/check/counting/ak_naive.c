/* ak_naive.c -- A_k straight from its definition.
 *
 * Pasts are sets of calls, as bits; nothing of src/check is used.
 */
#include "ak_naive.h"

#include <string.h>

#include "base/alloc.h"

static bool precedes(const struct lp_history *h, uint32_t a, uint32_t b)
{
	return h->at[a].end < h->at[b].start;
}

static uint64_t past(const struct lp_history *h, uint32_t call)
{
	uint64_t set = 0;

	for (uint32_t i = 0; i < h->count; i++)
		if (precedes(h, i, call))
			set |= UINT64_C(1) << i;
	return set;
}

/* How many distinct pasts there are among the calls in `of`. */
static uint32_t distinct_pasts(const struct lp_history *h, uint64_t of)
{
	uint64_t seen[64];
	uint32_t count = 0;

	for (uint32_t i = 0; i < h->count; i++) {
		const uint64_t p = past(h, i);
		bool new = of >> i & 1;
		for (uint32_t j = 0; j < count && new; j++)
			new = seen[j] != p;
		if (new)
			seen[count++] = p;
	}
	return count;
}

uint32_t naive_length(const struct lp_history *h)
{
	return h->count ? distinct_pasts(h, UINT64_MAX) - 1 : 0;
}

void naive_interval(const struct lp_history *h, uint32_t call, uint32_t *from, uint32_t *to)
{
	uint64_t before = 0, not_after = 0;

	/* i = |{past(o') : past(o') is a proper part of past(o)}|: the paper's "o' < o"
	 * compares pasts here, or its own example would not come out. */
	for (uint32_t i = 0; i < h->count; i++) {
		const uint64_t theirs = past(h, i), ours = past(h, call);
		if (theirs != ours && !(theirs & ~ours))
			before |= UINT64_C(1) << i;
		if (!precedes(h, call, i))
			not_after |= UINT64_C(1) << i;
	}
	*from = distinct_pasts(h, before);
	*to = distinct_pasts(h, not_after) - 1;
}

bool naive_before(const struct lp_history *h, unsigned k, uint32_t a, uint32_t b)
{
	uint32_t from, to;

	naive_interval(h, b, &from, &to);
	return precedes(h, a, b) && (int64_t)naive_length(h) - (int64_t)k < (int64_t)from;
}

void naive_prefix(struct lp_history *part, const struct lp_history *h, uint32_t last)
{
	const int64_t end = h->at[last].end;

	*part = *h;
	part->at = lp_alloc(sizeof *part->at * h->count);
	part->count = 0;
	for (uint32_t i = 0; i < h->count; i++) {
		struct lp_call c = h->at[i];
		if (c.start > end)
			continue;
		if (c.end > end || (c.end == end && i > last)) {
			c.end = LP_PENDING;
			c.results = LP_RESULT_UNKNOWN;
		}
		part->at[part->count++] = c;
	}
}

struct brute {
	const struct lp_history *h;
	const struct lp_spec *spec;
	uint64_t before[64]; /* what must come before each call */
	uint64_t done, must;
	uint32_t method[64];
};

static bool can_finish(struct brute *b, const struct lp_state *s)
{
	struct lp_state next;
	bool found = (b->done & b->must) == b->must;

	lp_state_open(&next);
	for (uint32_t i = 0; i < b->h->count && !found; i++) {
		const struct lp_call *c = &b->h->at[i];
		const uint32_t m = b->method[i];
		const bool chooses = b->spec->kind->methods[m].roles & LP_CHOOSES;
		struct lp_spec_call call = { .arg = c->arg, .args = c->args,
					     .thread = c->thread, .results = c->results,
					     .result = lp_call_results(b->h, c) };
		if ((b->done >> i & 1) || (b->before[i] & ~b->done))
			continue;
		for (call.choice = 0; !found; call.choice++) {
			lp_state_copy(&next, s);
			if (lp_spec_step(b->spec, m, &next, &call) != LP_ACCEPTS)
				break;
			b->done |= UINT64_C(1) << i;
			found = can_finish(b, &next);
			b->done &= ~(UINT64_C(1) << i);
			if (!chooses)
				break;
		}
	}
	lp_state_close(&next);
	return found;
}

bool naive_violates(const struct lp_history *h, const struct lp_spec *spec, unsigned k)
{
	struct brute b = { .h = h, .spec = spec };
	struct lp_state s;

	for (uint32_t i = 0; i < h->count; i++) {
		const char *name = h->methods.at[h->at[i].method];
		b.method[i] = lp_method_named(spec->kind, name, strlen(name));
		for (uint32_t j = 0; j < h->count; j++)
			if (naive_before(h, k, j, i))
				b.before[i] |= UINT64_C(1) << j;
		if (!lp_call_is_pending(&h->at[i]))
			b.must |= UINT64_C(1) << i;
	}
	lp_state_open(&s);
	lp_state_begin(&s, spec);
	const bool right = can_finish(&b, &s);
	lp_state_close(&s);
	return !right;
}

uint32_t naive_ends(const struct lp_history *h, uint32_t *call)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < h->count; i++) {
		if (lp_call_is_pending(&h->at[i]))
			continue;
		uint32_t place = count++;
		for (; place && h->at[call[place - 1]].end > h->at[i].end; place--)
			call[place] = call[place - 1];
		call[place] = i;
	}
	return count;
}

uint32_t naive_first(const struct lp_history *h, const struct lp_spec *spec, unsigned k)
{
	uint32_t ends[64];
	const uint32_t count = naive_ends(h, ends);

	for (uint32_t i = 0; i < count; i++) {
		struct lp_history part;
		naive_prefix(&part, h, ends[i]);
		const bool bad = naive_violates(&part, spec, k);
		lp_free(part.at);
		if (bad)
			return ends[i];
	}
	return UINT32_MAX;
}
