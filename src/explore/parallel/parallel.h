/* parallel.h -- the graph explorer by several processes. */
#ifndef LP_EXPLORE_PARALLEL_PARALLEL_H
#define LP_EXPLORE_PARALLEL_PARALLEL_H

#include "explore/explore.h"

/* As lp_explore_graphs(), by options->jobs processes, with the same result: counts,
 * outcomes, verdict, and the error that is reported.  False if processes or memory for
 * them cannot be had; nothing was done then.
 *
 * Which executions a limit lets through is a matter of chance, as always with limits; and
 * threads begun by threads other than the first are numbered in the order in which some
 * process meets them. */
bool lp_explore_parallel(struct lp_program *, const struct lp_explore_options *,
			 struct lp_arena *arena, struct lp_exploration *out);

#endif
