/* antichains.h -- which states were visited: fingerprints, each with an antichain of sets.
 *
 * A state is known by a 128-bit fingerprint of all but its set.  Of the sets that came with
 * it only the smallest are kept; a state is covered if one within its set is there.
 */
#ifndef LP_EXPLORE_STATE_ANTICHAINS_H
#define LP_EXPLORE_STATE_ANTICHAINS_H

#include <stdbool.h>

#include "base/hash.h"

struct lp_state_monitor;

struct lp_antichains {
	struct lp_antichain_place {
		struct lp_fingerprint print; /* zeroes: free */
		uint32_t set;
	} *at;
	uint64_t count, room; /* places in use; room is 0 or a power of two */
};

/* False if it is covered by one that is there.  With `exact` sets, only equal ones cover. */
bool lp_antichains_add(struct lp_antichains *, const struct lp_state_monitor *, bool exact,
		       struct lp_fingerprint, uint32_t set);
/* It is going to be asked for: its place is fetched meanwhile. */
static inline void lp_antichains_fetch(const struct lp_antichains *s, struct lp_fingerprint print)
{
	if (s->room)
		__builtin_prefetch(&s->at[print.a & (s->room - 1)]);
}
/* Is it there still, not displaced by a smaller set? */
bool lp_antichains_have(const struct lp_antichains *, struct lp_fingerprint, uint32_t set);
void lp_antichains_clear(struct lp_antichains *);
void lp_antichains_close(struct lp_antichains *);

#endif
