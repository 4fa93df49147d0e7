/* commute.h -- which calls of an observation commute in all states.
 *
 * Consider every state that some of the calls, in any order, can lead to.  Two calls commute if in
 * each such state: when one of them is accepted, the other is accepted after it iff it is accepted
 * before it; and when both are accepted, either order leads to the same state.  Then exchanging two
 * adjacent calls that commute turns an accepted order into an accepted one.  So every order that keeps
 * the pairs that do not commute is accepted, too (Mazurkiewicz).
 */
#ifndef LP_CHECK_CLIENTS_COMMUTE_H
#define LP_CHECK_CLIENTS_COMMUTE_H

#include "check/clients/place.h"

/* Are there two methods of the specification whose calls may change the state and commute? */
bool lp_commute_may(const struct lp_spec *spec);

/* Fills in p->depends: bit b of [a] is set if a and b do not commute, or if that would take too long
 * to find out.  Calls that never returned are left out.  Returns false if no two calls commute. */
bool lp_commute_find(struct lp_place *p, const struct lp_observation *);

#endif
