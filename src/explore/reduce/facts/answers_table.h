/* answers_table.h -- the table behind answers.h, for the files that read and write it.
 *
 * Processes may share it.  So its words are atomic, and nothing is ever removed from it.
 */
#ifndef LP_EXPLORE_REDUCE_FACTS_ANSWERS_TABLE_H
#define LP_EXPLORE_REDUCE_FACTS_ANSWERS_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"
#include "explore/reduce/facts/undone_pairs.h"

enum {
	LP_ANSWERS_PLACES = 4096, /* a power of two */
	LP_ANSWERS_SLOTS = 24,   /* the most values of a location that are recorded */
	LP_ANSWERS_RESTARTS = 64, /* the most restarts; then the exploration no longer relies on facts */
};

/* A slot is empty, is being filled in, or holds a value. */
enum { LP_SLOT_EMPTY, LP_SLOT_BUSY, LP_SLOT_FULL };

#define LP_ANSWERS_MANY UINT64_MAX /* ways */

/* Bits: the facts that have been seen, and those that the exploration relies on not being seen. */
struct lp_answers_seen {
	_Atomic uint32_t seen, relied;
};

struct lp_answers_place {
	struct lp_answers_seen facts;   /* enum lp_answers_fact */
	struct lp_answers_seen writers; /* the kinds of threads that write to it */
	atomic_bool crowded; /* there are more values than slots */
	struct {
		_Atomic unsigned state;
		atomic_bool swapped; /* an RMW has written the value */
		atomic_bool way_relied;
		_Atomic uint64_t way; /* a hash of the answers that led a thread to the RMW that replaced the value; 0: no RMW
		                       * has; LP_ANSWERS_MANY: different ones */
		struct lp_value value;
	} slot[LP_ANSWERS_SLOTS];
};

/* A table in which a location is found near the hash of its address. The facts are stored one after the
 * other, so they take few pages. */
struct lp_answers {
	atomic_bool broken;
	atomic_bool full;         /* some location has no place */
	bool shared;
	uint32_t restarts;
	_Atomic uint32_t threads; /* the most threads of an execution */
	atomic_bool threads_relied;
	struct lp_undone_pairs undone, shifts;
	_Atomic uint32_t count;
	struct {
		_Atomic uintptr_t address; /* 0: the place is free */
		_Atomic uint32_t number;   /* 1 + the number of its place; 0: not known yet */
	} index[LP_ANSWERS_PLACES];
	struct lp_answers_place place[LP_ANSWERS_PLACES];
};

/* The place of the location, which is taken if it has none.  NULL: there is no room; then the exploration never relies on facts about
 * the location. */
struct lp_answers_place *lp_answers_place(struct lp_answers *, uintptr_t address);
/* The slot of a value that was written; LP_ANSWERS_SLOTS if there is none. */
uint32_t lp_answers_slot(const struct lp_answers_place *, struct lp_value);
/* These facts were seen.  The exploration restarts if it relies on one of them not being seen. */
void lp_answers_see(struct lp_answers *, struct lp_answers_seen *, uint32_t bits);
/* The value was written; `swapped`: by an RMW. */
void lp_answers_see_value(struct lp_answers *, struct lp_answers_place *, struct lp_value, bool swapped);

#endif
