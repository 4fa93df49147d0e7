/* parallel.h -- the graph explorer in several processes. */
#ifndef LP_EXPLORE_PARALLEL_PARALLEL_H
#define LP_EXPLORE_PARALLEL_PARALLEL_H

#include "explore/restarts.h"

/* A pass of lp_explore_graphs(), in options.jobs processes, with the same result: counts,
 * outcomes, verdict, and the error that is reported.  False if the processes or their memory
 * cannot be created; then nothing was done.
 *
 * Two things may differ from run to run: which executions are visited before a limit is
 * reached, and the numbers of threads that are started by threads other than the first, which
 * depend on the order in which some process meets them. */
bool lp_explore_parallel(const struct lp_pass *, enum lp_pass_end *);

#endif
