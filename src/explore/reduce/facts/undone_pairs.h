/* undone_pairs.h -- values that threads have written and taken back, in all executions.
 *
 * A thread has replaced `old` by `put` at a location, and put `old` back, in an iteration that changed nothing else
 * (../undone/undone.h).  All passes share the pairs.  A pair is harmless if no other thread behaves differently because it sees `put`.  A pass
 * relies on the fact that certain pairs are harmless.  When a new pair is found, or a pair turns out not to be harmless, the exploration
 * restarts.  The pairs are in the memory that processes share (answers.h).
 */
#ifndef LP_EXPLORE_REDUCE_FACTS_UNDONE_PAIRS_H
#define LP_EXPLORE_REDUCE_FACTS_UNDONE_PAIRS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"

enum { LP_UNDONE_PAIRS = 64 };

struct lp_bytes;
struct lp_cursor;

struct lp_undone_key {
	uintptr_t address;     /* the location */
	uint32_t size;         /* its size in bytes */
	struct lp_value old, put;
	uintptr_t place;       /* if `put` is an address in memory of the thread: the place of this address in that memory;
	                        * otherwise `put` itself */
	uint32_t thread, kind; /* the thread; the eldest of the threads like it */
};

struct lp_undone_pair {
	_Atomic unsigned state; /* 0: the slot is empty; 1: it is being filled in; 2: it has a pair */
	atomic_bool relied;     /* an iteration with this pair was left out in this pass */
	atomic_bool spoilt;     /* another thread may see `put`, and behave differently */
	bool dead;              /* the pair was known to be spoilt before this pass */
	struct lp_undone_key key;
};

struct lp_undone_pairs {
	atomic_bool broken;
	atomic_bool given_up; /* the exploration relies on none of the pairs */
	struct lp_undone_pair at[LP_UNDONE_PAIRS];
};

/* Is any pair known? */
static inline bool lp_undone_pairs_any(const struct lp_undone_pairs *pairs)
{
	return pairs && atomic_load_explicit(&pairs->at[0].state, memory_order_acquire);
}

/* Pair number `i` of those that are known, or NULL. */
struct lp_undone_pair *lp_undone_pair_at(struct lp_undone_pairs *, uint32_t i);

/* The pair with that key.  If there is none yet, it is added, and the exploration restarts.  NULL if there is no room. */
struct lp_undone_pair *lp_undone_pair_put(struct lp_undone_pairs *, const struct lp_undone_key *);

/* Do the two pairs differ only in the names of like threads? */
bool lp_undone_pairs_are_alike(const struct lp_undone_key *, const struct lp_undone_key *);

/* From now on the exploration relies on the pair being harmless.  Returns false if the pair is known
 * not to be harmless. */
bool lp_undone_pair_rely(struct lp_undone_pairs *, struct lp_undone_pair *);
/* Records that the pair and the corresponding pairs of like threads are not harmless.  The exploration restarts even if it did not rely on
 * these pairs, because in the next pass loads of their values are no longer weakened. */
void lp_undone_pair_spoil(struct lp_undone_pairs *, const struct lp_undone_pair *);

/* From now on no pair counts as harmless. */
void lp_undone_pairs_give_up(struct lp_undone_pairs *);

/* To be called when a new pass begins. */
void lp_undone_pairs_restart(struct lp_undone_pairs *);

/* lp_undone_pairs_write() writes all pairs as bytes.  lp_undone_pairs_merge() adds the pairs of another machine, and returns false if the
 * bytes are malformed. */
void lp_undone_pairs_write(const struct lp_undone_pairs *, struct lp_bytes *);
bool lp_undone_pairs_merge(struct lp_undone_pairs *, struct lp_cursor *);

#endif
