/* endings.h -- executions that end before all threads have ended: at an error, or at a known end of
 * main(). */
#ifndef LP_EXPLORE_GRAPH_ENDINGS_H
#define LP_EXPLORE_GRAPH_ENDINGS_H

#include "explore/graph/frame.h"

/* Is the first thread at the beginning of an end that is known (final_joins.h), and have all other threads
 * ended?  Then the execution is complete. */
bool lp_explorer_comes_to_known_end(struct lp_explorer *);

/* Is a thread at an error? If so, the error is reported. */
bool lp_explorer_has_erred(struct lp_explorer *);

#endif
