/* essential_pairs.c -- finds the pairs of a linearization that cannot be exchanged. */
#include "check/clients/essential_pairs.h"

#include <string.h>

#include "check/clients/commute.h"

struct ties {
	struct lp_place *p;
	const struct lp_observation *o;
	const uint32_t *order;
	uint32_t count;
	uint32_t change[LP_OBSERVED_CALLS], changes; /* the calls that change the state, in order */
	/* For each place in the order: the result of the call is correct after `low` to `high`
	 * changes.  For a call that is itself a change, both are its number among the changes, from
	 * 1. */
	uint32_t low[LP_OBSERVED_CALLS], high[LP_OBSERVED_CALLS];
	bool changes_nothing[LP_OBSERVED_CALLS];
	bool by_key; /* calls with different keys do not affect each other */
};

static const struct lp_method *method_at(const struct ties *t, uint32_t i)
{
	return &t->p->spec->kind->methods[t->o->call[t->order[i]].method];
}

/* Are calls with different keys independent?  They are not if --sync requires that insertions or
 * removals of all keys are ordered. */
static bool splits_by_key(const struct ties *t)
{
	bool splits = t->p->spec->kind->by_key && t->p->sync <= LP_SYNC_R && !t->p->spec->kind->orders;

	for (uint32_t i = 0; i < t->count; i++)
		splits &= method_at(t, i)->args && !(method_at(t, i)->roles & LP_WHOLE);
	return splits;
}

/* Runs the linearization; p->state[i] becomes the state after i changes. */
static void run(struct ties *t)
{
	lp_state_begin(&t->p->state[0], t->p->spec);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct lp_observed *c = &t->o->call[t->order[i]];
		const struct lp_state *now = &t->p->state[t->changes];
		struct lp_state *then = &t->p->state[t->changes + 1];
		lp_state_copy(then, now);
		lp_place_step(t->p, c, then, 0);
		t->changes_nothing[i] = lp_place_changes_nothing(t->p, c, now, then);
		t->low[i] = t->high[i] = t->changes;
		if (!t->changes_nothing[i]) {
			t->change[t->changes++] = t->order[i];
			t->low[i] = t->high[i] = t->changes;
		}
	}
}

/* Would a call that changes nothing be correct after that many changes? */
static bool is_right(struct ties *t, uint32_t i, uint32_t changes)
{
	const struct lp_observed *c = &t->o->call[t->order[i]];
	const struct lp_state *now = &t->p->state[changes];
	struct lp_state *then = &t->p->state[LP_OBSERVED_CALLS + 1];
	uint32_t from;

	lp_state_copy(then, now);
	return lp_place_step(t->p, c, then, 0) == LP_ACCEPTS && lp_place_changes_nothing(t->p, c, now, then) &&
	       lp_place_synchronised(t->p, t->o, t->change, changes, t->order[i], &from);
}

static void widen(struct ties *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		while (t->changes_nothing[i] && t->low[i] > 0 && is_right(t, i, t->low[i] - 1))
			t->low[i]--;
		while (t->changes_nothing[i] && t->high[i] < t->changes && is_right(t, i, t->high[i] + 1))
			t->high[i]++;
	}
}

/* Is the i-th call tied to come before the k-th, i < k? */
static bool is_tied(const struct ties *t, uint32_t i, uint32_t k)
{
	if (t->by_key && t->o->call[t->order[i]].arg[0] != t->o->call[t->order[k]].arg[0])
		return false;
	/* A call that changes nothing and is correct after `low` changes comes after the low-th. */
	return t->changes_nothing[k] && !t->changes_nothing[i] ? t->low[i] <= t->low[k] : t->high[i] < t->low[k];
}

/* Collects the pairs of a call in `to` before a call in `from`.  Returns their number. */
static uint32_t pairs_between(const uint32_t *order, uint32_t count, const bool *from, const bool *to,
			      uint32_t *against)
{
	uint32_t pairs = 0;

	memset(against, 0, sizeof *against * LP_OBSERVED_CALLS);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = i + 1; k < count; k++)
			if (from[i] && to[k]) {
				against[order[i]] |= UINT32_C(1) << order[k];
				pairs++;
			}
	return pairs;
}

static uint32_t find_by_places(struct ties *t, bool known, uint32_t *against)
{
	bool from[LP_OBSERVED_CALLS] = { false }, to[LP_OBSERVED_CALLS] = { false };
	uint32_t pairs = 0;

	t->by_key = splits_by_key(t);
	if (known) {
		run(t);
		widen(t);
	}
	for (uint32_t i = 0; i < t->count; i++)
		for (uint32_t k = i + 1; k < t->count; k++)
			if (!known || is_tied(t, i, k))
				from[i] = to[k] = true;
	if (!known || t->by_key)
		return pairs_between(t->order, t->count, from, to, against);
	memset(against, 0, sizeof *against * LP_OBSERVED_CALLS);
	for (uint32_t i = 0; i < t->count; i++)
		for (uint32_t k = i + 1; k < t->count; k++)
			if (is_tied(t, i, k)) {
				against[t->order[i]] |= UINT32_C(1) << t->order[k];
				pairs++;
			}
	return pairs;
}

/* Finds the pairs if only calls that do not commute are tied. */
static uint32_t find_by_commuting(const struct ties *t, uint32_t *against)
{
	bool from[LP_OBSERVED_CALLS] = { false }, to[LP_OBSERVED_CALLS] = { false };

	for (uint32_t i = 0; i < t->count; i++)
		for (uint32_t k = i + 1; k < t->count; k++)
			if (t->p->commuting.depends[t->order[i]] >> t->order[k] & 1)
				from[i] = to[k] = true;
	return pairs_between(t->order, t->count, from, to, against);
}

void lp_place_essential_pairs(struct lp_place *p, const struct lp_observation *o, const uint32_t *order,
			      uint32_t count, uint32_t *against)
{
	struct ties t = { .p = p, .o = o, .order = order, .count = count };
	uint32_t other[LP_OBSERVED_CALLS];
	bool known = true;

	for (uint32_t i = 0; i < count; i++) /* it is not known here which choice was made */
		known &= !(method_at(&t, i)->roles & LP_CHOOSES);
	const bool commutes = known && p->commuting.may && lp_commute_find(p, o);
	const uint32_t pairs = find_by_places(&t, known, against);
	if (pairs && commutes) {
		const uint32_t others = find_by_commuting(&t, other);
		if (others < pairs)
			memcpy(against, other, sizeof other);
	}
}
