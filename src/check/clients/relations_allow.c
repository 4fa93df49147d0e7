/* relations_allow.c -- which client orders the relations of an observation allow. */
#include "check/clients/relations_allow.h"

#include <string.h>

#include "check/clients/clients.h"

void lp_relation_turn(const uint32_t *from, uint32_t n, uint32_t *to)
{
	memset(to, 0, sizeof *to * n);
	for (uint32_t b = 0; b < n; b++)
		for LP_EACH_CALL(a, from[b])
			to[a] |= UINT32_C(1) << b;
}

/* middle ; h */
static void go_through(const uint32_t *after, const uint32_t *middle, uint32_t n, uint32_t *through)
{
	for (uint32_t a = 0; a < n; a++) {
		through[a] = 0;
		for LP_EACH_CALL(b, middle[a])
			through[a] |= after[b];
	}
}

static uint32_t paths_from(uint32_t first, const uint32_t *through)
{
	uint32_t reached = first, done = 0;

	while (reached != done) {
		const uint32_t fresh = reached & ~done;
		done = reached;
		for LP_EACH_CALL(a, fresh)
			reached |= through[a];
	}
	return reached;
}

void lp_relation_paths(const uint32_t *after, const uint32_t *middle, uint32_t n, uint32_t *reached)
{
	uint32_t through[LP_OBSERVED_CALLS];

	go_through(after, middle, n, through);
	for (uint32_t b = 0; b < n; b++)
		reached[b] = paths_from(after[b], through);
}

bool lp_relation_stays_clear(const uint32_t *after, const uint32_t *middle, const uint32_t *bad, uint32_t n)
{
	uint32_t through[LP_OBSERVED_CALLS];

	go_through(after, middle, n, through);
	for (uint32_t b = 0; b < n; b++)
		if (paths_from(after[b], through) & bad[b])
			return false;
	return true;
}

lp_order_decider *lp_relations_decider(const struct lp_observation *o, enum lp_order_class class)
{
	if (class == LP_ORDERS_CHAINS && o->possible_in_threads)
		return o->possible_in_threads;
	return o->exact ? NULL : o->possible;
}

bool lp_relations_allow(const struct lp_observation *o, const uint32_t *reached, const uint32_t *before)
{
	uint32_t after[LP_OBSERVED_CALLS];

	lp_relation_turn(before, o->count, after);
	return lp_relation_stays_clear(after, o->happens, o->clashes, o->count) &&
	       lp_relation_stays_clear(after, o->reaches, reached, o->count);
}

/* Removing a pair leaves an order if the pair does not follow from others by
 * transitivity. */
void lp_relation_reduce(uint32_t *before, const uint32_t *kept, uint32_t n,
		     bool (*is_enough)(void *closure, const uint32_t *before), void *closure)
{
	for (uint32_t a = 0; a < n;) {
		bool less = false;
		uint32_t follows = kept[a];
		for LP_EACH_CALL(m, before[a])
			follows |= before[m];
		for LP_EACH_CALL(b, before[a] & ~follows) {
			if (less)
				break;
			before[a] &= ~(UINT32_C(1) << b);
			less = is_enough(closure, before);
			before[a] |= (uint32_t)!less << b;
		}
		a = less ? 0 : a + 1; /* start again: pairs that followed from the removed
				       * one can be removed now */
	}
}
