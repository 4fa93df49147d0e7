/* overlap.h -- finds the calls that overlap with a call.
 *
 * Some specifications accept a call, such as an operation that fails, only because other calls overlap with it (lp_kind.overlaps).
 * Two calls overlap if the client orders neither before the other.  Calls that only read are left out.  If a client orders more
 * pairs, fewer calls overlap, and the specification accepts less.  So an order h can contradict a linearization in two ways: h orders
 * two calls the other way round, or h orders two calls whose overlap the linearization needs.  lp_overlap_against() computes the
 * pairs of the second way.
 */
#ifndef LP_CHECK_CLIENTS_OVERLAP_H
#define LP_CHECK_CLIENTS_OVERLAP_H

#include "check/clients/place.h"

/* The calls that overlap with a call, as lp_spec_call.overlap has them. */
struct lp_overlap_room {
	struct lp_overlap overlap;
	struct lp_other_call other[LP_OBSERVED_CALLS];
};

/* Fills in the calls that overlap with `call`.  `before` is the order of the client, and `done` is the set of calls that precede
 * `call` in the run. */
void lp_overlap_fill(const struct lp_place *, const struct lp_observation *, const uint32_t *before, uint32_t done,
		     uint32_t call, struct lp_overlap_room *);

/* Fills in the calls that overlap with a stuck call: these are the other calls in `stuck`. */
void lp_overlap_fill_stuck(const struct lp_place *, const struct lp_observation *, uint32_t stuck, uint32_t call,
			   struct lp_overlap_room *);

/* The calls in p->explained are accepted in the linearization `order` only because others overlap with them.  Adds to `against` the
 * pairs with which a client would remove this overlap: bit b of against[a] is set if the client must not order b before a. */
void lp_overlap_against(const struct lp_place *, const struct lp_observation *, const uint32_t *before,
			const uint32_t *order, uint32_t returned, uint32_t *against);

#endif
