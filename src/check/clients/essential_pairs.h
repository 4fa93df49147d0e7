/* essential_pairs.h -- which pairs of a linearization cannot be exchanged.
 *
 * A linearization orders all pairs of calls, but many pairs can be exchanged: a call that changes
 * nothing can be placed wherever its result is correct, and calls with different keys do not affect each
 * other.  Two calls that cannot be exchanged are called tied, and such a pair is called a tie:
 *
 *     calls of the same key that change the state keep their order;
 *     a call that changes nothing stays between the nearest places before and after it where its
 *     result would be wrong.
 *
 * Let h be an order that the client adds.  If h together with the ties has no cycle, then any order of
 * all calls that respects both is a linearization.  If there is a cycle, it contains a pair of h that
 * contradicts the linearization: h orders a call y before a call x, but x comes before y in the
 * linearization.  In this pair, y is tied to a call before y in the linearization, and x is tied to a
 * call after x.
 *
 * Suppose that all calls that change the state are tied to each other.  Then, if there is a cycle, some
 * pair of h reverses a tie.  The reasons are that h is transitively closed, and that a call that changes
 * nothing can be put at the earliest place that h and its own ties allow.  So in this case only reversed
 * ties are computed.
 *
 * If some calls commute in all states (commute.h), the calls that do not commute are a second set of
 * ties.  Both sets of ties are computed, and the set with fewer contradicting pairs is used.
 */
#ifndef LP_CHECK_CLIENTS_ESSENTIAL_PAIRS_H
#define LP_CHECK_CLIENTS_ESSENTIAL_PAIRS_H

#include "check/clients/place.h"

/* `order` is a linearization of the `count` calls that are not stuck.  Computes pairs that contradict it.
 * If no linearization respects a client order, this client order puts some call b before some call a for
 * which bit b of against[a] is set. */
void lp_place_essential_pairs(struct lp_place *, const struct lp_observation *, const uint32_t *order,
			      uint32_t count, uint32_t *against);

#endif
