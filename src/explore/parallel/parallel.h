/* parallel.h -- the graph explorer in several processes. */
#ifndef LP_EXPLORE_PARALLEL_PARALLEL_H
#define LP_EXPLORE_PARALLEL_PARALLEL_H

#include "explore/restarts.h"

/* Runs a pass of lp_explore_graphs() in options.jobs processes.  The result is that of a pass in one
 * process: the same counts, outcomes and verdict, and the same reported error.  Returns false if the
 * processes or their memory cannot be created; then nothing was explored.
 *
 * Two things may differ from run to run: which executions are visited before a limit is
 * reached, and the ids of threads that the first thread has not started itself.  These ids depend
 * on the order in which the processes meet the threads. */
bool lp_explore_parallel(const struct lp_pass *, enum lp_pass_end *);

#endif
