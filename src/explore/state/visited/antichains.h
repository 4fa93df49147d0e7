/* antichains.h -- the visited states: fingerprints, each with an antichain of sets.
 *
 * A state is identified by its set (of the monitor, state.h) and a 128-bit fingerprint of everything
 * else.  Of the sets that were met with a fingerprint, the table keeps the minimal ones.  A state is
 * covered, and need not be visited, if the table keeps a subset of its set with its fingerprint.  When
 * a smaller set displaces a kept set, the state with the displaced set is added to `displaced`.  If that
 * state still waits for its visit, the search can then leave the visit out.
 *
 * The places of the table are in pages that may be moved to files (spill.h), which base/hash_index.h
 * does not support.
 */
#ifndef LP_EXPLORE_STATE_VISITED_ANTICHAINS_H
#define LP_EXPLORE_STATE_VISITED_ANTICHAINS_H

#include <stdbool.h>

#include "base/hash.h"
#include "base/vec.h"
#include "explore/state/visited/spill.h"

struct lp_state_monitor;

struct lp_antichain_place {
	struct lp_fingerprint print; /* all zero: the place is free */
	uint32_t set;
	uint32_t record; /* the number that the caller has given the state */
};

struct lp_antichains {
	struct lp_pages pages; /* places */
	struct lp_spill *spill; /* NULL: the places stay in memory */
	uint64_t count, room; /* `count` of `room` places are in use; room is 0 or a power of two */
	struct { LP_VEC(uint32_t); } displaced; /* records of displaced states; the caller empties the list */
};

static inline struct lp_antichain_place *lp_antichains_at(const struct lp_antichains *s, uint64_t slot)
{
	return (struct lp_antichain_place *)s->pages.at + slot;
}

/* The place at which the search for a state begins. */
static inline uint64_t lp_antichains_slot(const struct lp_antichains *s, struct lp_fingerprint print)
{
	return print.a & (s->room - 1);
}

/* Makes room for `more` further states.  Places do not move until this many states have been added.  Returns
 * false if the disk is full. */
bool lp_antichains_reserve(struct lp_antichains *, uint64_t more);
/* Adds a state, and sets `*slot` to its place; there must be room.  Returns false, without adding it, if the state is
 * covered.  With `exact`, only an equal set covers a state. */
bool lp_antichains_add(struct lp_antichains *, const struct lp_state_monitor *, bool exact,
		       struct lp_antichain_place, uint64_t *slot);
/* Prefetches the place of a state that will be looked up soon. */
static inline void lp_antichains_fetch(const struct lp_antichains *s, struct lp_fingerprint print)
{
	if (s->room && !s->pages.file)
		__builtin_prefetch(lp_antichains_at(s, lp_antichains_slot(s, print)));
}
void lp_antichains_clear(struct lp_antichains *);
void lp_antichains_close(struct lp_antichains *);

#endif
