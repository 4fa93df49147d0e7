/* commute.h -- which calls of an observation can change places with which, whenever.
 *
 * Two calls commute if in every state that the calls can lead to, in any order and any number of
 * them: where the one is accepted, the other one is accepted after it iff it was before; and where
 * both are, it does not matter which comes first.  Then an accepted order of the calls in which two
 * neighbours that commute are exchanged is accepted as well, and so is every order that
 * keeps the pairs that do not commute as they are (Mazurkiewicz).
 */
#ifndef LP_CHECK_CLIENTS_COMMUTE_H
#define LP_CHECK_CLIENTS_COMMUTE_H

#include "check/clients/place.h"

/* Can any two calls of the specification that change something be expected to? */
bool lp_commute_may(const struct lp_spec *spec);

/* Fills in p->depends: bit b of [a] if a and b do not commute, or it would take too long to find
 * out.  Calls that never returned are left out.  False if none commute. */
bool lp_commute_find(struct lp_place *p, const struct lp_observation *);

#endif
