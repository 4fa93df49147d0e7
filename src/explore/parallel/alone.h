/* alone.h -- the graph explorer in one process, with checkpoints (keep.h). */
#ifndef LP_EXPLORE_PARALLEL_ALONE_H
#define LP_EXPLORE_PARALLEL_ALONE_H

#include "explore/restarts.h"

/* Runs a pass of lp_explore_graphs() that writes checkpoints (options.limits.keep) or continues one. */
enum lp_pass_end lp_explore_alone(const struct lp_pass *);

#endif
