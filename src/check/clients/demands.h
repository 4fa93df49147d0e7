/* demands.h -- pairs of calls whose order follows from looking at two values at a time.
 *
 * A queue is first in, first out.  So the order of two insertions implies the order of the two removals,
 * and the other way round.  More generally, take a correct run of a queue, a stack or another container,
 * and leave out all calls that insert or remove some chosen values: the remaining calls are a correct run.
 * So in every linearization, the calls on any two values are a correct run by themselves.
 *
 * If two values together have at most four calls, only few orders of these calls are correct.  The orders that
 * contradict what is known so far are excluded.  If all remaining orders put some call before some other call,
 * this pair of calls is added to the known order.  No linearization is lost, and the search for one (place.h)
 * rarely has to go back.
 */
#ifndef LP_CHECK_CLIENTS_DEMANDS_H
#define LP_CHECK_CLIENTS_DEMANDS_H

#include "base/hash.h"
#include "check/clients/clients.h"

struct lp_place;

enum {
	LP_DEMAND_CALLS = 4,  /* two insertions, two removals */
	LP_DEMAND_ORDERS = 6, /* as many orders of these calls insert each value before they remove it */
	LP_DEMAND_PAIRS = LP_OBSERVED_CALLS * (LP_OBSERVED_CALLS - 1) / 2
};

struct lp_demands {
	bool may; /* correct runs of the specification stay correct without the calls of some values, as above */
	struct lp_fingerprint key; /* the fingerprint of the calls for which `pair` was computed; 0: it was not computed yet */
	uint32_t count; /* the number of elements of `pair` that are used */
	/* An element of `pair` has the calls of two inserted values, and the orders in which these calls are correct.  Two values
	 * have no element if they have more than LP_DEMAND_CALLS calls or LP_DEMAND_ORDERS correct orders. */
	struct lp_demand {
		uint8_t call[LP_DEMAND_CALLS], calls, orders;
		uint16_t order[LP_DEMAND_ORDERS]; /* each correct order as a set of pairs; bit 4 * i + k: call[i] comes
						   * before call[k] */
	} pair[LP_DEMAND_PAIRS];
};

/* Fills in the member demands.may of the place. */
void lp_demands_open(struct lp_place *);

/* Adds the implied pairs to the order `before`, in which bit b of before[a] is set if call b comes before call a.
 * `before` is transitively closed, also afterwards.  Returns false if no correct run can agree with the order. */
bool lp_demands_add(struct lp_place *, const struct lp_observation *, uint32_t *before);

#endif
