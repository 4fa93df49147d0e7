/* relations_allow.h -- do the relations of an observation allow an order h?  h is an order that a client could add to the calls
 * (clients.h).
 *
 * model/calls.h defines the relations, and explains when they decide exactly which h are possible.  Relations are arrays
 * of sets.
 */
#ifndef LP_CHECK_CLIENTS_RELATIONS_ALLOW_H
#define LP_CHECK_CLIENTS_RELATIONS_ALLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "check/clients/clients.h"

/* A loop over the calls i of a set. */
#define LP_EACH_CALL(i, set) \
	(uint32_t i##_ = (set), i; i##_ && (i = (uint32_t)__builtin_ctz(i##_), true); i##_ &= i##_ - 1)

/* The set of all calls of an observation. */
static inline uint32_t lp_calls_below(uint32_t count)
{
	return count == 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

/* Computes the inverse of a relation: bit b of to[a] is bit a of from[b]. */
void lp_relation_turn(const uint32_t *from, uint32_t n, uint32_t *to);

/* Computes the relation h ; (middle ; h)*.  after[b] is the set of calls that h orders after b.  Call a is in reached[b] if
 * the computed relation contains the pair (b, a). */
void lp_relation_paths(const uint32_t *after, const uint32_t *middle, uint32_t n, uint32_t *reached);

/* Do h ; (middle ; h)* and `bad` have no pair in common?  `after` gives h as in lp_relation_paths(). */
bool lp_relation_stays_clear(const uint32_t *after, const uint32_t *middle, const uint32_t *bad, uint32_t n);

/* Do the relations allow h?  before[a] is the set of calls that h orders before a; `reached` is the inverse of
 * o->reaches. */
bool lp_relations_allow(const struct lp_observation *o, const uint32_t *reached, const uint32_t *before);

/* Returns the function that decides which orders of the class are possible.  NULL: the relations decide this exactly. */
lp_order_decider *lp_relations_decider(const struct lp_observation *o, enum lp_order_class class);

/* Removes pairs from an order as long as is_enough() accepts the smaller order.  The pairs of `kept` stay. */
void lp_relation_reduce(uint32_t *before, const uint32_t *kept, uint32_t n,
		     bool (*is_enough)(void *closure, const uint32_t *before), void *closure);

#endif
