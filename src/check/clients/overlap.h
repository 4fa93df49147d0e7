/* overlap.h -- the calls that overlap with a call, for specifications that look at them (lp_kind.overlaps).
 *
 * Two calls overlap if the client orders neither before the other.  A client that orders more has fewer calls that overlap, and such
 * a specification accepts less.  So an order h may refute a linearization in two ways: it has a pair the other
 * way round, or it orders two calls whose overlap the linearization needs.  lp_overlap_against() computes the latter pairs.
 */
#ifndef LP_CHECK_CLIENTS_OVERLAP_H
#define LP_CHECK_CLIENTS_OVERLAP_H

#include "check/clients/place.h"

struct lp_overlap_room {
	struct lp_overlap overlap;
	struct lp_other_call other[LP_OBSERVED_CALLS];
};

/* What overlaps with `call` if the calls in `done` come before it in the run. */
void lp_overlap_fill(const struct lp_place *, const struct lp_observation *, const uint32_t *before, uint32_t done,
		     uint32_t call, struct lp_overlap_room *);

/* A run of stuck calls: what waits with `call` are the other calls in `stuck`. */
void lp_overlap_fill_stuck(const struct lp_place *, const struct lp_observation *, uint32_t stuck, uint32_t call,
			   struct lp_overlap_room *);

/* Adds to `against` (bit b of [a]: b before a) the pairs that take overlap from the calls that were only
 * accepted because of it: p->explained. */
void lp_overlap_against(const struct lp_place *, const struct lp_observation *, const uint32_t *before,
			const uint32_t *order, uint32_t returned, uint32_t *against);

#endif
