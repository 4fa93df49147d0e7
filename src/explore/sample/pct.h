/* pct.h -- schedules with random priorities that change at a few random points.
 *
 * Burckhardt, Kothari, Musuvathi and Nagarakatti, "A Randomized Scheduler with
 * Probabilistic Guarantees of Finding Bugs", ASPLOS 2010.  A bug has depth d if d ordering
 * constraints between steps are enough to cause it.  Consider n threads and k steps.  A schedule
 * that always runs the thread of highest priority, and lowers the priority of the running
 * thread at d - 1 random steps, causes the bug with probability at least 1 / (n k^(d-1)).
 *
 * This bound holds for interleavings, that is, under sc, where a read returns the latest value.
 * Under weaker models the schedule orders the operations in the same way, and the write that a read
 * returns is chosen at random.  Bugs are found there, too, but without the guarantee.
 */
#ifndef LP_EXPLORE_SAMPLE_PCT_H
#define LP_EXPLORE_SAMPLE_PCT_H

#include "base/vec.h"
#include "explore/sample/rng.h"
#include "program/program.h"

struct lp_pct {
	struct { LP_VEC(int64_t); } priority; /* by thread; 0: not chosen yet */
	struct { LP_VEC(uint32_t); } change;  /* the steps before which a priority drops */
	uint32_t step;
	int64_t lowest;                       /* the lowest priority so far that was given to a thread because it ran for too
	                                       * long */
	lp_tid last;                          /* the thread that ran last */
	uint32_t in_a_row;                    /* how often `last` was picked again without a break */
};

/* Begins a schedule of about `length` steps, for bugs of depth `depth`. */
void lp_pct_begin(struct lp_pct *, uint32_t depth, uint32_t length, struct lp_rng *);

/* Picks the thread for the schedule's next step among the `count` threads that can continue. */
lp_tid lp_pct_pick(struct lp_pct *, const lp_tid *able, uint32_t count, struct lp_rng *);

void lp_pct_close(struct lp_pct *);

#endif
