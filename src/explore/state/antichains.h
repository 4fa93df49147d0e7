/* antichains.h -- the visited states: fingerprints, each with an antichain of sets.
 *
 * A state is identified by its set and a 128-bit fingerprint of everything else.  Of the sets that
 * were met with a fingerprint only the minimal ones are kept.  A state is covered, and need not be
 * visited, if a subset of its set is kept.
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

/* Adds a state; false if it is covered.  With `exact`, only an equal set covers. */
bool lp_antichains_add(struct lp_antichains *, const struct lp_state_monitor *, bool exact,
		       struct lp_fingerprint, uint32_t set);
/* Prefetches the place of a state that will be looked up soon. */
static inline void lp_antichains_fetch(const struct lp_antichains *s, struct lp_fingerprint print)
{
	if (s->room)
		__builtin_prefetch(&s->at[print.a & (s->room - 1)]);
}
/* Is the state still kept, not displaced by a smaller set? */
bool lp_antichains_have(const struct lp_antichains *, struct lp_fingerprint, uint32_t set);
void lp_antichains_clear(struct lp_antichains *);
void lp_antichains_close(struct lp_antichains *);

#endif
