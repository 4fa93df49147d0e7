/* pct.h -- schedules by random priorities that change at a few random points.
 *
 * Burckhardt, Kothari, Musuvathi and Nagarakatti, "A Randomized Scheduler with
 * Probabilistic Guarantees of Finding Bugs", ASPLOS 2010.  A bug of depth d is one that
 * d ordering constraints between steps suffice to bring about.  A schedule that always
 * runs the thread of highest priority, and lowers the priority of the running thread at
 * d - 1 random steps of k, meets it with probability at least 1 / (n k^(d-1)), n threads.
 *
 * That holds for interleavings: sc, where a read takes the latest value.  Under weaker models
 * the same schedules order the operations, and what a read may return is chosen at random
 * on top; bugs are found, but the bound does not speak of them.
 */
#ifndef LP_EXPLORE_SAMPLE_PCT_H
#define LP_EXPLORE_SAMPLE_PCT_H

#include "base/vec.h"
#include "explore/sample/rng.h"
#include "program/program.h"

struct lp_pct {
	struct { LP_VEC(int64_t); } priority; /* by thread; 0: none yet */
	struct { LP_VEC(uint32_t); } change;  /* the steps before which a priority drops */
	uint32_t step;
	int64_t lowest;                       /* priority given to a thread that hogs */
	lp_tid last;                          /* thread to run, and how often in a row */
	uint32_t in_a_row;
};

/* Begins a schedule of `depth` over about `length` steps. */
void lp_pct_begin(struct lp_pct *, uint32_t depth, uint32_t length, struct lp_rng *);

/* Which of the threads that can go on does, for the schedule's next step. */
lp_tid lp_pct_pick(struct lp_pct *, const lp_tid *able, uint32_t count, struct lp_rng *);

void lp_pct_close(struct lp_pct *);

#endif
