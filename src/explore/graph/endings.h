/* endings.h -- where an execution ends before all threads have: at an error, or at a known end. */
#ifndef LP_EXPLORE_GRAPH_ENDINGS_H
#define LP_EXPLORE_GRAPH_ENDINGS_H

#include "explore/graph/frame.h"

/* The first thread is at the beginning of an end that is known (final_joins.h).  Is the execution complete,
 * all others being at their ends, or past them? */
bool lp_explorer_comes_to_known_end(struct lp_explorer *);

/* Is a thread at an error?  It is reported. */
bool lp_explorer_has_erred(struct lp_explorer *);

#endif
