/* schedules.h -- a naive explorer: one schedule after the other.
 *
 * Interleaves the threads of a program without loops in every way within options->bounds (rounds, delays
 * or preemptions: the first that is given), on a memory of its own, and reports every schedule's
 * execution, so that most are reported many times.  The verdict is "violation" if an assertion fails, or
 * threads wait forever.  A thread is preempted if it could go on; with options->reduce.attempts, not where its operation might have to wait.
 */
#ifndef LP_TEST_SCHEDULES_H
#define LP_TEST_SCHEDULES_H

#include "explore/explore.h"

void schedules_explore(struct lp_program *, const struct lp_explore_options *,
		       struct lp_arena *, struct lp_exploration *);

#endif
