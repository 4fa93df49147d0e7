/* commute.h -- which calls of an observation commute in all states.
 *
 * Two calls commute if the following holds in every state that can be reached by making some of the
 * calls, in any order:
 *   - if one of the two is accepted, making it does not change whether the other is accepted;
 *   - if both are accepted, making them in either order leads to the same state.
 *
 * So exchanging two adjacent calls that commute turns an accepted order of the calls into an accepted
 * one.  From one accepted order, such exchanges lead to every order that agrees with it on all pairs
 * that do not commute.  So all of these are accepted, too (Mazurkiewicz).
 */
#ifndef LP_CHECK_CLIENTS_COMMUTE_H
#define LP_CHECK_CLIENTS_COMMUTE_H

#include "check/clients/place.h"

/* Is it worth searching for calls that commute?  Yes if there are two calls that each change the initial state of the
 * specification, and that lead to the same state in either order; no if the specification has meetings. */
bool lp_commute_may(const struct lp_spec *spec);

/* Fills in p->commuting.depends: bit b of depends[a] is set if a and b do not commute, or if it would take too
 * long to find out whether they do.  The bits of calls that never returned mean nothing.  Returns false if no two
 * calls are known to commute. */
bool lp_commute_find(struct lp_place *p, const struct lp_observation *);

#endif
