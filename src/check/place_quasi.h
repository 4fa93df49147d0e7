/* place_quasi.h -- two orders of few calls that are close to each other.
 *
 * Quasi-linearizability (quasi.h has the definition) asks for an order P of the calls that
 * respects the order of the client, and a run R of the specification, such that within each
 * class no call is further from its place than the class's factor.  Both grow in turn, and
 * nothing is tried twice; what the rest depends on is: the two sets, the state after R, and the places of
 * calls that are in one of them only.
 */
#ifndef LP_CHECK_PLACE_QUASI_H
#define LP_CHECK_PLACE_QUASI_H

#include "check/place.h"

/* As lp_place_all(), for p->quasi; `order` becomes P. */
bool lp_place_quasi(struct lp_place *p, const struct lp_observation *o, const uint32_t *before,
		    uint32_t *order);

/* As lp_place_ties(): any order that has the calls of each class as P has them is as close
 * to R as P is. */
bool lp_place_quasi_ties(const struct lp_place *p, const struct lp_observation *o,
			 const uint32_t *order, uint32_t count, uint32_t *against);

#endif
