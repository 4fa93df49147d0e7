/* commute.h -- which calls of an observation commute in all states.
 *
 * Two calls commute if the following holds in every state that can be reached by making some of the
 * calls, in any order:
 *   - if one of the two is accepted, making it does not change whether the other is accepted;
 *   - if both are accepted, making them in either order leads to the same state.
 *
 * Suppose that the specification accepts the calls in some order.  Then it also accepts them after two
 * adjacent calls that commute are exchanged.  By such exchanges one can reach every order that keeps the
 * order of all pairs that do not commute, so every such order is accepted (Mazurkiewicz).
 */
#ifndef LP_CHECK_CLIENTS_COMMUTE_H
#define LP_CHECK_CLIENTS_COMMUTE_H

#include "check/clients/place.h"

/* Is it worth searching for calls that commute?  False if the specification has meetings (lp_spec_has_meetings()).  Otherwise,
 * the initial state is tried: true if there are a call with argument 0 and a call with argument 1, of the same or of different
 * methods, such that each of the two calls changes this state, and both orders of the two lead to the same state. */
bool lp_commute_may(const struct lp_spec *spec);

/* Fills in p->commuting.depends: bit b of depends[a] is set if a and b do not commute, or if it would take too
 * long to find out whether they commute.  The bits of calls that never returned mean nothing.  Returns true if some two
 * calls are known to commute. */
bool lp_commute_find(struct lp_place *p, const struct lp_observation *);

#endif
