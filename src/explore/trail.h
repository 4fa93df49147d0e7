/* trail.h -- the plain accesses between two operations, noted while an execution is replayed for a report.
 *
 * Plain accesses are not events, and the search does not keep them.  The replay of an execution that is to be
 * reported (replay_steps.c) notes each of them with its value.  The value of a read is in memory at once; that of a
 * write is read from memory when the thread has continued.  The notes are cut when the machine goes back.
 */
#ifndef LP_EXPLORE_TRAIL_H
#define LP_EXPLORE_TRAIL_H

#include "base/vec.h"
#include "explore/explore.h"

enum { LP_TRAIL_MOST = 4096 }; /* the number of accesses that are noted; later ones are not */

struct lp_trail_note {
	struct lp_plain_step plain;
	uint32_t performed; /* how many operations all threads had performed before the access */
};

struct lp_trail {
	struct lp_program *program;
	LP_VEC(struct lp_trail_note);
	bool unsettled; /* the last note is a write that may not have reached memory yet */
	uint32_t wrong; /* 1 + the index of the access that is an error and is never performed; 0:
	                 * none */
};

void lp_trail_note(struct lp_trail *, const struct lp_plain_step *, uint32_t performed);

/* Reads the value of the last noted write from memory.  The thread has continued, so the write has
 * reached memory. */
void lp_trail_settle(struct lp_trail *);

/* Marks the last noted access as an error, at which the thread stops. */
void lp_trail_stops(struct lp_trail *);
/* Notes the value that the erroneous access would have written. */
void lp_trail_wrong(struct lp_trail *, const struct lp_value *wrote);

void lp_trail_cut(struct lp_trail *, uint32_t performed);
void lp_trail_drop(struct lp_trail *);

#endif
