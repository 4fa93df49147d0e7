/* place_quasi.h -- an order of few calls that is close to a right run.
 *
 * Quasi-linearizability (quasi.h) asks for an order P of the calls that respects the order of the
 * client.  It is looked for as in place.h, on the specification that relax.h makes.
 */
#ifndef LP_CHECK_QUASI_PLACE_QUASI_H
#define LP_CHECK_QUASI_PLACE_QUASI_H

#include "check/clients/place.h"

/* As lp_place_all(), for p->quasi. */
bool lp_place_quasi(struct lp_place *p, const struct lp_observation *o, const uint32_t *before,
		    uint32_t *order);

#endif
