/* essential_pairs.h -- which pairs of a linearization cannot be exchanged.
 *
 * A linearization orders all pairs of calls, but many pairs can be exchanged: a call that changes
 * nothing can be anywhere where its result is correct, and calls with different keys do
 * not affect each other.  The pairs that cannot be exchanged are called ties:
 *
 *     calls of the same key that change the state keep their order;
 *     a call that changes nothing stays between the nearest places before and after it where its
 *     result would be wrong.
 *
 * Let h be an order that the client adds.  If h together with the ties has no cycle, then any order of
 * all calls that respects both is a linearization.  If there is a cycle, it contains a pair of h that
 * contradicts the linearization: the pair leads from a call that is tied to an earlier call to a call
 * that is tied to a later one.  If all calls that change the state are tied to each other, one pair of
 * h contradicts the ties by itself, because h is transitively closed, and a call that changes nothing
 * can be put at the earliest place that h and its own ties allow.
 *
 * Where calls commute (commute.h), only those that do not commute are tied.  Both sets of ties
 * are computed, and the one that leaves fewer pairs is used.
 */
#ifndef LP_CHECK_CLIENTS_ESSENTIAL_PAIRS_H
#define LP_CHECK_CLIENTS_ESSENTIAL_PAIRS_H

#include "check/clients/place.h"

/* `order` is a linearization of `count` calls, without the stuck ones.  Sets bits of `against` such
 * that every client order that allows no linearization orders some call b before some call a for which
 * bit b of against[a] is set. */
void lp_place_essential_pairs(struct lp_place *, const struct lp_observation *, const uint32_t *order,
			      uint32_t count, uint32_t *against);

#endif
