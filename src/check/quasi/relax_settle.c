/* relax_settle.c -- decides whether all owed calls can still be made.
 *
 * A history is correct if it satisfies Definition 4 together with some further calls.  So it must
 * be possible to make the owed calls in time.  Further calls are made one after the other, in four
 * ways:
 *
 *   S1  an owed call (SOONER) is made, and a call that waits for a place (LATER) gets this place;
 *   S2  an owed call is made, and its place goes to another future call: so a queue can remove
 *       what is before the owed value;
 *   S3  directly before S1, any call is made that keeps its place: for example, the insertion of a value;
 *   S4  removals that keep their places are made, any number of them.
 *
 * Of the owed calls of a group, the oldest is made first.  In the end all of them are made, and if
 * they are in time in some order, they are in time in this order.  The values that S2 and S3 need are those of
 * waiting calls; other values do not affect them.  For containers and cells, S3 once for each S1
 * is enough: one insertion, removal or write makes room for a call, or provides what it returns.
 * It is not enough for numbers, which are counted up one by one.
 */
#include <string.h>

#include "base/fingerprints.h"
#include "base/vec.h"
#include "check/quasi/relax_parts.h"

/* Beyond this number of states the search gives up, and assumes that it is possible; lp_relax.tired says so. */
enum { MOST_STATES = 20000, MOST_VALUES = 16 };

struct settling {
	const struct lp_relax *q;
	struct lp_fingerprints seen;
	int64_t value[MOST_VALUES]; /* the values of calls that wait */
	uint32_t values;
};

struct outcomes {
	struct { LP_VEC(struct lp_state); };
};

static void keep_outcome(void *closure, const struct lp_state *state)
{
	struct outcomes *o = closure;
	struct lp_state copy;

	lp_state_open(&copy);
	lp_state_copy(&copy, state);
	LP_PUSH(o, copy);
}

/* Only calls with an age can be too late; others come some time. */
static bool has_age(const struct lp_relax *q, uint32_t method)
{
	for (uint32_t i = 0; i < q->ages; i++)
		if (lp_relax_in_class(q, q->aged[i], method))
			return true;
	return false;
}

static void note_value(struct settling *s, int64_t value)
{
	uint32_t i = 0;

	if (value < LP_LOWEST)
		return;
	while (i < s->values && s->value[i] != value)
		i++;
	if (i == s->values && i < MOST_VALUES)
		s->value[s->values++] = value;
}

static void note_values(struct settling *s, const struct lp_state *owed)
{
	for (uint32_t at = 0; at < owed->count; at += lp_owed_words(s->q)) {
		if (lp_owed_kind(owed->at + at) != LP_LATER)
			continue;
		const struct lp_spec_call *c = &s->q->events[lp_owed_number(owed->at + at)].call;
		for (uint32_t i = 0; i < c->args; i++)
			note_value(s, c->arg[i]);
		if (c->result && c->results == 1)
			note_value(s, *c->result);
	}
}

/* The i-th call of that method with such values; false if there are no more. */
static bool nth_call(const struct settling *s, uint32_t method, uint32_t i, int64_t *arg,
		     struct lp_relax_event *e)
{
	const uint32_t args = s->q->spec->kind->methods[method].args;

	for (uint32_t a = 0; a < args; a++) {
		if (!s->values)
			return false;
		arg[a] = s->value[i % s->values];
		i /= s->values;
	}
	*e = (struct lp_relax_event){ LP_RELAX_UNSEEN + method, method,
				      { .arg = arg, .args = args } };
	return !i;
}

static bool pay(struct settling *s, const struct lp_state *now, bool only_pay);

/* After S3 only S1; S4 makes the state smaller. */
static bool any_pays(struct settling *s, const struct lp_state *now, struct outcomes *o, bool other)
{
	bool pays = false;

	for (uint32_t i = 0; i < o->count; i++) {
		pays = pays || pay(s, &o->at[i], other && o->at[i].at[0] >= now->at[0]);
		lp_state_close(&o->at[i]);
	}
	lp_free(o->at);
	return pays;
}

/* R continues with the call; with `other`, the call keeps its place. */
static bool pays_with(struct settling *s, const struct lp_state *now,
		      const struct lp_relax_event *e, const struct lp_state *owed, bool other)
{
	struct lp_state inner, out;
	struct outcomes found = { { 0 } };

	lp_state_open(&inner);
	lp_state_open(&out);
	lp_relax_place(s->q, now, e, owed, &(struct lp_relax_sink){ &inner, &out, keep_outcome, &found });
	lp_state_close(&inner);
	lp_state_close(&out);
	return any_pays(s, now, &found, other);
}

/* S1 and S2: one owed by the group of that method has come, `owed` is the rest. */
static bool pays_in_group(struct settling *s, const struct lp_state *now, uint32_t method,
			  const struct lp_state *owed, bool only_pay)
{
	const struct lp_relax *q = s->q;
	struct lp_state rest;
	bool pays = false;

	lp_state_open(&rest);
	for (uint32_t at = 0; at < owed->count && !pays; at += lp_owed_words(q)) {
		if (lp_owed_kind(owed->at + at) != LP_LATER ||
		    !lp_relax_same_group(q, lp_owed_method(q, owed->at + at), method))
			continue;
		lp_state_copy(&rest, owed);
		lp_owed_remove(q, &rest, at);
		pays = pays_with(s, now, &q->events[lp_owed_number(owed->at + at)], &rest, false);
	}
	for (uint32_t m = 0; m < q->spec->kind->method_count && !pays && !only_pay; m++) {
		struct lp_relax_event e;
		int64_t arg[LP_MAX_ARGS];
		if (!lp_relax_same_group(q, m, method))
			continue;
		for (uint32_t i = 0; nth_call(s, m, i, arg, &e) && !pays; i++) {
			lp_state_copy(&rest, owed);
			lp_owed_add(q, &rest, e.number, LP_SOONER);
			pays = pays_with(s, now, &e, &rest, false);
		}
	}
	lp_state_close(&rest);
	return pays;
}

/* S3 and S4 */
static bool pays_after_another(struct settling *s, const struct lp_state *now)
{
	const struct lp_relax *q = s->q;
	struct lp_state owed;
	bool pays = false;

	lp_state_open(&owed);
	for (uint32_t m = 0; m < q->spec->kind->method_count && !pays; m++) {
		struct lp_relax_event e;
		int64_t arg[LP_MAX_ARGS];
		if ((q->spec->kind->methods[m].roles & LP_READS) == LP_READS)
			continue;
		for (uint32_t i = 0; nth_call(s, m, i, arg, &e) && !pays; i++) {
			lp_owed_take(now, &owed);
			lp_owed_age(q, &owed, m);
			pays = pays_with(s, now, &e, &owed, true);
		}
	}
	lp_state_close(&owed);
	return pays;
}

static bool is_new(struct settling *s, const struct lp_state *now, bool only_pay)
{
	struct lp_fingerprint f = LP_FINGERPRINT;

	lp_fingerprint_word(&f, only_pay);
	lp_fingerprint_bytes(&f, now->at, sizeof *now->at * now->count);
	return lp_fingerprints_add(&s->seen, f);
}

/* Is it the oldest that is to come in its group? */
static bool is_oldest(const struct lp_relax *q, const struct lp_state *owed, uint32_t which)
{
	const int64_t *mine = owed->at + which;

	for (uint32_t at = 0; at < owed->count; at += lp_owed_words(q)) {
		const int64_t *other = owed->at + at;
		if (lp_owed_kind(other) != LP_SOONER ||
		    !lp_relax_same_group(q, lp_owed_method(q, other), lp_owed_method(q, mine)))
			continue;
		/* In one class older, in none younger; of equals the first. */
		for (uint32_t i = 0; i < q->ages; i++)
			if (other[1 + i] > mine[1 + i])
				return false;
		if (at < which && !memcmp(other + 1, mine + 1, sizeof *mine * q->ages))
			return false;
	}
	return true;
}

static bool pay(struct settling *s, const struct lp_state *now, bool only_pay)
{
	const struct lp_relax *q = s->q;
	struct lp_state owed;
	bool owes = false, pays = false;

	if (s->seen.count > MOST_STATES)
		return true;
	if (!is_new(s, now, only_pay))
		return false;
	lp_state_open(&owed);
	lp_owed_take(now, &owed);
	for (uint32_t at = 0; at < owed.count && !pays; at += lp_owed_words(q)) {
		const uint32_t method = lp_owed_method(q, owed.at + at);
		if (lp_owed_kind(owed.at + at) != LP_SOONER || !has_age(q, method))
			continue;
		owes = true;
		if (!is_oldest(q, &owed, at))
			continue;
		lp_owed_remove(q, &owed, at);
		lp_owed_age(q, &owed, method);
		pays = pays_in_group(s, now, method, &owed, only_pay);
		lp_owed_take(now, &owed);
	}
	pays = pays || !owes || (!only_pay && pays_after_another(s, now));
	lp_state_close(&owed);
	return pays;
}

bool lp_relax_can_settle(struct lp_relax *q, const struct lp_state *state)
{
	struct settling s = { .q = q };
	struct lp_state owed;

	if (state->count == (uint32_t)state->at[0] + 1 || q->spec->kind->data == LP_DATA_NONE)
		return true;
	lp_state_open(&owed);
	lp_owed_take(state, &owed);
	note_values(&s, &owed);
	lp_state_close(&owed);
	const bool can = pay(&s, state, false);
	q->tired |= can && s.seen.count > MOST_STATES;
	lp_fingerprints_close(&s.seen);
	return can;
}
