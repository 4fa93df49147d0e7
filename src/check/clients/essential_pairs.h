/* essential_pairs.h -- what in a linearization matters.
 *
 * Of the pairs that a linearization puts in order, many can be exchanged: a call that changes
 * nothing is as well anywhere where its result is right, and calls with different keys do
 * not affect each other.  What cannot be exchanged is tied:
 *
 *     calls that change something, of one key, as they come;
 *     a call that changes nothing, to the nearest places around it where its result would be
 *     wrong: after what comes before the one, before what comes after the other.
 *
 * If an order h together with the ties has no cycle, then any order of all calls that goes
 * with both is a linearization.  If it has one, some pair of h in it goes against the linearization,
 * from a call that is tied to an earlier one to a call that is tied to a later one.  Where all
 * calls that change something are tied to each other, that pair can even be found such that it
 * contradicts the ties by itself: h is closed, and a call that changes nothing can be put
 * at the earliest place that h and its own ties leave.
 *
 * Where calls commute (commute.h), only those are tied that do not; of the two ways that is
 * taken which leaves fewer pairs.
 */
#ifndef LP_CHECK_CLIENTS_ESSENTIAL_PAIRS_H
#define LP_CHECK_CLIENTS_ESSENTIAL_PAIRS_H

#include "check/clients/place.h"

/* `order` is a linearization of `count` calls, with what blocks left out.  Every order of a client
 * that leaves no linearization has some b before a where against[a] has bit b. */
void lp_place_essential_pairs(struct lp_place *, const struct lp_observation *, const uint32_t *order,
			      uint32_t count, uint32_t *against);

#endif
