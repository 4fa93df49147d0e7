/* demands.h -- what the calls of two values demand of each other.
 *
 * What was put into a queue first comes out first: an order of two insertions is one of the removals
 * as well, and the other way round.  In general: if a right run stays right without all calls of
 * some values, as of queues and stacks, then the calls of any two values are a right run by
 * themselves.  Of the orders of those few only some are right, which the specification says, and
 * fewer go with what is ordered already; what all of these have in common is demanded, too.  Nothing
 * is lost so, and a search that knows it hardly ever goes astray.
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
	bool may; /* it is such a specification */
	struct lp_fingerprint key; /* of the calls; 0: none yet */
	uint32_t count;
	struct lp_demand {
		uint8_t call[LP_DEMAND_CALLS], calls, orders;
		uint16_t order[LP_DEMAND_ORDERS]; /* that are right; bit 4 * i + k: i before k */
	} pair[LP_DEMAND_PAIRS];
};

void lp_demands_open(struct lp_place *);

/* Adds to `before`, which is closed and stays so, what is demanded.  False: there is no right run
 * that goes with it. */
bool lp_demands_add(struct lp_place *, const struct lp_observation *, uint32_t *before);

#endif
