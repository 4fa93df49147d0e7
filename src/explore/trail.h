/* trail.h -- what threads do between two operations, while an execution is done again for a report.
 *
 * Plain accesses are not events, and the search does not keep them.  When the execution that is to be shown
 * is done again (replay_steps.c), each one is noted with its value: what memory holds when it is read, or when the
 * thread has gone on after writing.  The notes are cut when the machine goes back.
 */
#ifndef LP_EXPLORE_TRAIL_H
#define LP_EXPLORE_TRAIL_H

#include "base/vec.h"
#include "explore/explore.h"

enum { LP_TRAIL_MOST = 4096 }; /* accesses: later ones are not noted */

struct lp_trail_note {
	struct lp_plain_step plain;
	uint32_t performed; /* operations, of all threads, when it was made */
};

struct lp_trail {
	struct lp_program *program;
	LP_VEC(struct lp_trail_note);
	bool unsettled; /* the last one is a write, which may still be to come */
	uint32_t wrong; /* 1 + the one that is an error, and never takes place; 0: none */
};

void lp_trail_note(struct lp_trail *, const struct lp_plain_step *, uint32_t performed);

/* The thread has gone on: what it wrote last is in memory. */
void lp_trail_settle(struct lp_trail *);

/* The last one is an error: the thread stops there. */
void lp_trail_stops(struct lp_trail *);
/* What that would have written. */
void lp_trail_wrong(struct lp_trail *, const struct lp_value *wrote);

void lp_trail_cut(struct lp_trail *, uint32_t performed);
void lp_trail_drop(struct lp_trail *);

#endif
