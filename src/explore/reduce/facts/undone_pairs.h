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
	uintptr_t address;     /* of the location */
	struct lp_value old, put;
	uintptr_t place;       /* that `put` points to in memory of the thread; or `put` itself */
	uint32_t thread, kind; /* and the eldest of the threads like it */
};

struct lp_undone_pair {
	_Atomic unsigned state; /* 0: there is none; 1: it is being filled in; 2 */
	atomic_bool relied;     /* such an iteration was left out in this pass */
	atomic_bool spoilt;     /* another thread may see `put`, and do something else */
	bool dead;              /* that was known before this pass */
	struct lp_undone_key key;
};

struct lp_undone_pairs {
	atomic_bool broken;
	atomic_bool given_up; /* none is relied upon */
	struct lp_undone_pair at[LP_UNDONE_PAIRS];
};

/* Pair number `i` of those that are known, or NULL. */
struct lp_undone_pair *lp_undone_pair_at(struct lp_undone_pairs *, uint32_t i);

/* The pair with that key, which is added if it is new: then the exploration restarts.  NULL if there is no room. */
struct lp_undone_pair *lp_undone_pair_put(struct lp_undone_pairs *, const struct lp_undone_key *);

/* Like threads have pairs that differ in the threads' names only. */
bool lp_undone_pairs_are_alike(const struct lp_undone_key *, const struct lp_undone_key *);

/* It is relied upon that the pair is harmless.  False if it is not. */
bool lp_undone_pair_rely(struct lp_undone_pairs *, struct lp_undone_pair *);
/* It is not, nor are those of like threads.  The exploration restarts in any case: loads of such values are no longer weakened then. */
void lp_undone_pair_spoil(struct lp_undone_pairs *, const struct lp_undone_pair *);

/* None is harmless, nor will be. */
void lp_undone_pairs_give_up(struct lp_undone_pairs *);

void lp_undone_pairs_restart(struct lp_undone_pairs *);

/* As those of answers.h. */
void lp_undone_pairs_write(const struct lp_undone_pairs *, struct lp_bytes *);
bool lp_undone_pairs_merge(struct lp_undone_pairs *, struct lp_cursor *);

#endif
