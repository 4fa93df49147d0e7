/* undone_pairs.h -- values that threads have written and taken back, in all executions.
 *
 * A thread has replaced `old` by `put` at a location, and put `old` back, in an iteration that changed nothing else
 * (../undone/undone.h).  The pairs are known for all passes.  A pass relies on some of them being harmless; one that is new, or turns out to
 * be seen, makes the exploration restart.  They are part of what processes share (answers.h).
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
	uintptr_t place;       /* where `put` points to in memory of the thread; otherwise `put` itself */
	uint32_t thread, kind; /* the thread, and the eldest of the threads like it */
};

struct lp_undone_pair {
	_Atomic unsigned state; /* 0: the slot is empty; 1: it is being filled in; 2: it has a pair */
	atomic_bool relied;     /* such an iteration was left out in this pass */
	atomic_bool spoilt;     /* another thread may see `put`, and do something else */
	bool dead;              /* it was known to be spoilt before this pass */
	struct lp_undone_key key;
};

struct lp_undone_pairs {
	atomic_bool broken;
	atomic_bool given_up; /* none is relied upon */
	struct lp_undone_pair at[LP_UNDONE_PAIRS];
};

/* Is any pair known? */
static inline bool lp_undone_pairs_any(const struct lp_undone_pairs *pairs)
{
	return pairs && atomic_load_explicit(&pairs->at[0].state, memory_order_acquire);
}

/* Pair number `i` of those that are known, or NULL. */
struct lp_undone_pair *lp_undone_pair_at(struct lp_undone_pairs *, uint32_t i);

/* The pair with that key, which is added if it is new: then the exploration restarts.  NULL if there is no room. */
struct lp_undone_pair *lp_undone_pair_put(struct lp_undone_pairs *, const struct lp_undone_key *);

/* Like threads have pairs that differ in the threads' names only. */
bool lp_undone_pairs_are_alike(const struct lp_undone_key *, const struct lp_undone_key *);

/* Relies on the pair being harmless.  False if it is known not to be. */
bool lp_undone_pair_rely(struct lp_undone_pairs *, struct lp_undone_pair *);
/* The pair is not harmless, nor are those of like threads.  The exploration restarts even if it did not rely on them, since loads of such
 * values are then no longer weakened. */
void lp_undone_pair_spoil(struct lp_undone_pairs *, const struct lp_undone_pair *);

/* No pair is harmless, and none that is found later will be. */
void lp_undone_pairs_give_up(struct lp_undone_pairs *);

void lp_undone_pairs_restart(struct lp_undone_pairs *);

/* All pairs as bytes, and adding those of another machine: as in answers.h. */
void lp_undone_pairs_write(const struct lp_undone_pairs *, struct lp_bytes *);
bool lp_undone_pairs_merge(struct lp_undone_pairs *, struct lp_cursor *);

#endif
