/* endings.h -- executions that end before all threads have ended: at an error, or at a known end of
 * main(). */
#ifndef LP_EXPLORE_GRAPH_ENDINGS_H
#define LP_EXPLORE_GRAPH_ENDINGS_H

#include "explore/graph/frame.h"

/* To be called when only the final joins of the first thread are left, and it is known what they do (final_joins.h).  Can the execution
 * count as complete although these joins are not performed?  It can if all other threads have ended or are about to end, the conditions
 * of final_joins.h hold, and the judge, if there is one, finds the execution right. */
bool lp_explorer_comes_to_known_end(struct lp_explorer *);

/* Is a thread at an error?  If so, reports the error.  With a bound on schedules, errors that are not within the bound do not count. */
bool lp_explorer_has_erred(struct lp_explorer *);

#endif
