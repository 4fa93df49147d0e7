/* answers_table.h -- the table behind answers.h, for the files that read and write it.
 *
 * Processes may share the table.  So its words are atomic, and nothing is ever removed from it.
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
	LP_ANSWERS_RESTARTS = 64, /* the most restarts; after that, the exploration no longer relies on facts */
};

/* A slot is empty, is being filled in, or holds a value. */
enum { LP_SLOT_EMPTY, LP_SLOT_BUSY, LP_SLOT_FULL };

#define LP_ANSWERS_MANY UINT64_MAX /* as `way` of a slot */

/* Two sets of facts, as bits: those that have been seen, and those on whose absence the exploration relies. */
struct lp_answers_seen {
	_Atomic uint32_t seen, relied;
};

struct lp_answers_place {
	struct lp_answers_seen facts;   /* enum lp_answers_fact */
	struct lp_answers_seen writers; /* the kinds of threads that write to the location (lp_answers_kind()) */
	atomic_bool crowded; /* there are more values than slots */
	struct {
		_Atomic unsigned state;
		atomic_bool swapped; /* an RMW has written the value */
		atomic_bool way_relied; /* the exploration relies on `way` (lp_answers_rely_on_way()) */
		_Atomic uint64_t way; /* a hash of the answers that a thread got before it replaced the value by an RMW; 0: no RMW
		                       * has replaced it; LP_ANSWERS_MANY: several threads have, and got different answers */
		struct lp_value value;
	} slot[LP_ANSWERS_SLOTS];
};

/* The table.  `index` is a hash table from the addresses of locations to places.  The places are handed out one after the
 * other, so they take few pages. */
struct lp_answers {
	atomic_bool broken;
	atomic_bool full;         /* there was no room for some location */
	bool shared;
	uint32_t restarts;
	_Atomic uint32_t threads; /* the largest number of threads of an execution */
	atomic_bool threads_relied; /* the exploration relies on `threads` */
	struct lp_undone_pairs undone, shifts;
	_Atomic uint32_t count;
	struct {
		_Atomic uintptr_t address; /* of a location; 0: the entry is free */
		_Atomic uint32_t number;   /* 1 + the number of the location's place; 0: not known yet */
	} index[LP_ANSWERS_PLACES];
	struct lp_answers_place place[LP_ANSWERS_PLACES];
};

/* The place of the location.  If the location has none yet, it gets one.  NULL: there is no room; then the exploration never relies on facts
 * about the location. */
struct lp_answers_place *lp_answers_place(struct lp_answers *, uintptr_t address);
/* The index of the slot that has the value; LP_ANSWERS_SLOTS if there is none. */
uint32_t lp_answers_slot(const struct lp_answers_place *, struct lp_value);
/* Records that these facts were seen.  If the exploration relies on the absence of one of them, it restarts. */
void lp_answers_see(struct lp_answers *, struct lp_answers_seen *, uint32_t bits);
/* Records that the value was written; `swapped`: by an RMW. */
void lp_answers_see_value(struct lp_answers *, struct lp_answers_place *, struct lp_value, bool swapped);

#endif
