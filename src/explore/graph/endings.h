/* endings.h -- executions that end before all threads have ended: at an error, or at a known end of
 * main(). */
#ifndef LP_EXPLORE_GRAPH_ENDINGS_H
#define LP_EXPLORE_GRAPH_ENDINGS_H

#include "explore/graph/frame.h"

/* The first thread is at the beginning of an end that is known (final_joins.h).  Can the execution count as complete without this end?
 * It can if all other threads have ended or are about to, the conditions of final_joins.h hold, and the judge finds it right. */
bool lp_explorer_comes_to_known_end(struct lp_explorer *);

/* Is a thread at an error? If so, the error is reported. */
bool lp_explorer_has_erred(struct lp_explorer *);

#endif
