/* trail.h -- the plain accesses between two operations, noted while an execution is replayed for a report.
 *
 * Plain accesses are not events, and the search does not keep them.  The replay of an execution that is to be
 * reported (replay_steps.c) notes each access with its value.  The value of a read is fetched from memory at once.  The value
 * of a write is fetched later, when the thread has continued and has performed the write.  When the machine goes back to an
 * earlier state, the notes made after that state are removed.
 */
#ifndef LP_EXPLORE_TRAIL_H
#define LP_EXPLORE_TRAIL_H

#include "base/vec.h"
#include "explore/explore.h"

enum { LP_TRAIL_MOST = 4096 }; /* only this number of accesses is noted, from the first one on */

struct lp_trail_note {
	struct lp_plain_step plain;
	uint32_t performed; /* how many operations all threads had performed before the access */
};

struct lp_trail {
	struct lp_program *program;
	LP_VEC(struct lp_trail_note);
	bool unsettled; /* the last note is a write that may not have reached memory yet */
	uint32_t wrong; /* 1 + the index of the note of an access that is an error, and is therefore never performed; 0: there
	                 * is none */
};

/* Appends a note of the access, which a thread is about to make. */
void lp_trail_note(struct lp_trail *, const struct lp_plain_step *, uint32_t performed);

/* To be called after a thread has continued, so that the write that was noted last has reached memory.  Fetches its
 * value. */
void lp_trail_settle(struct lp_trail *);

/* Marks the last noted access as an error, at which the thread stops. */
void lp_trail_stops(struct lp_trail *);
/* Notes the value that the erroneous access would have written. */
void lp_trail_wrong(struct lp_trail *, const struct lp_value *wrote);

/* Removes the notes whose own `performed` is greater than the argument. */
void lp_trail_cut(struct lp_trail *, uint32_t performed);
void lp_trail_drop(struct lp_trail *);

#endif
