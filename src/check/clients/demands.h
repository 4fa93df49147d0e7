/* demands.h -- pairs of calls whose order follows from looking at two values at a time.
 *
 * A queue is first in, first out, so an order between two insertions implies one between the two
 * removals, and the other way round.  In general, if any values are chosen, and all calls that insert or
 * remove them are left out of a correct run of a queue, a stack or the like, the rest is a correct run.  So
 * the calls on any two values must be a correct run by themselves.  If there are at most four of them, they
 * are correct in few orders.  The orders that contradict what is known so far are excluded, and what the
 * remaining ones have in common is added to it.  No linearization is lost, and the search that follows
 * rarely has to go back.
 */
#ifndef LP_CHECK_CLIENTS_DEMANDS_H
#define LP_CHECK_CLIENTS_DEMANDS_H

#include "base/hash.h"
#include "check/clients/clients.h"

struct lp_place;

enum {
	LP_DEMAND_CALLS = 4,  /* two insertions, two removals */
	LP_DEMAND_ORDERS = 6, /* each value is put in before it is taken out */
	LP_DEMAND_PAIRS = LP_OBSERVED_CALLS * (LP_OBSERVED_CALLS - 1) / 2
};

struct lp_demands {
	bool may; /* the specification is known to have this property */
	struct lp_fingerprint key; /* the fingerprint of the calls for which `pair` was computed; 0 if it is empty */
	uint32_t count;
	struct lp_demand {
		uint8_t call[LP_DEMAND_CALLS], calls, orders;
		uint16_t order[LP_DEMAND_ORDERS]; /* the correct orders; bit 4 * i + k: call[i] before call[k] */
	} pair[LP_DEMAND_PAIRS];
};

void lp_demands_open(struct lp_place *);

/* Adds the implied pairs to the order `before`: bit b of before[a] is set if call b is before call a.  The order
 * is transitively closed and stays so.  Returns false if no correct run agrees with it. */
bool lp_demands_add(struct lp_place *, const struct lp_observation *, uint32_t *before);

#endif
