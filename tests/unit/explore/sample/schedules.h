/* schedules.h -- an explorer without wits: one schedule after the other.
 *
 * Interleaves the threads of a program without loops in every way with at most
 * options->preemptions preemptions, on a memory of its own, and reports every schedule's
 * execution, so that most are reported many times.  Does not look for errors.
 */
#ifndef LP_TEST_SCHEDULES_H
#define LP_TEST_SCHEDULES_H

#include "explore/explore.h"

void schedules_explore(struct lp_program *, const struct lp_explore_options *,
		       struct lp_arena *, struct lp_exploration *);

#endif
