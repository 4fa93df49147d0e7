/* alone.h -- the graph explorer in one process, with checkpoints (keep.h). */
#ifndef LP_EXPLORE_PARALLEL_ALONE_H
#define LP_EXPLORE_PARALLEL_ALONE_H

#include "explore/restarts.h"

/* Runs a pass of lp_explore_graphs() with options.limits.keep, or one that continues a checkpoint. */
enum lp_pass_end lp_explore_alone(const struct lp_pass *);

#endif
