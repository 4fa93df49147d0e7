/* relations_allow.h -- which client orders the relations of an observation allow.
 *
 * model/calls.h defines the relations, and explains when and why they are sufficient to decide this.
 */
#ifndef LP_CHECK_CLIENTS_RELATIONS_ALLOW_H
#define LP_CHECK_CLIENTS_RELATIONS_ALLOW_H

#include <stdbool.h>
#include <stdint.h>

struct lp_observation;

/* For each i of a set of calls. */
#define LP_EACH_CALL(i, set) \
	(uint32_t i##_ = (set), i; i##_ && (i = (uint32_t)__builtin_ctz(i##_), true); i##_ &= i##_ - 1)

/* All calls of an observation, as a set. */
static inline uint32_t lp_calls_below(uint32_t count)
{
	return count == 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

/* Bit b of to[a] for bit a of from[b]. */
void lp_relation_turn(const uint32_t *from, uint32_t n, uint32_t *to);

/* reached[b]: all a with (b, a) in h ; (middle ; h)*, where after[b] are the calls that h has after b. */
void lp_relation_paths(const uint32_t *after, const uint32_t *middle, uint32_t n, uint32_t *reached);

/* Is every (b, a) of h ; (middle ; h)* outside `bad`? */
bool lp_relation_stays_clear(const uint32_t *after, const uint32_t *middle, const uint32_t *bad, uint32_t n);

/* Do the relations allow h, given as bits b of before[a]?  `reached` is o->reaches turned round. */
bool lp_relations_allow(const struct lp_observation *o, const uint32_t *reached, const uint32_t *before);

/* Leaves pairs out of an order, other than those of `kept`, as long as is_enough() is true of the rest. */
void lp_relation_reduce(uint32_t *before, const uint32_t *kept, uint32_t n,
		     bool (*is_enough)(void *closure, const uint32_t *before), void *closure);

#endif
