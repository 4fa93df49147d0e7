/* place_quasi.h -- finds an order of a few calls that is close to a correct run.
 *
 * Quasi-linearizability (quasi.h) asks for an order P of the calls that respects the order of the
 * client and is close to a run that the specification accepts.  The search is that of place.h, on
 * the relaxed specification of relax.h.
 */
#ifndef LP_CHECK_QUASI_PLACE_QUASI_H
#define LP_CHECK_QUASI_PLACE_QUASI_H

#include "check/clients/place.h"

/* Does what lp_place_all() does without stuck calls, with the factors p->close.rule.  Returns true if there is
 * such an order P. */
bool lp_place_quasi(struct lp_place *p, const struct lp_observation *o, const uint32_t *before,
		    uint32_t *order);

#endif
