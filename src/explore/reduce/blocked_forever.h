/* blocked_forever.h -- threads that will never go on in a graph, nor in any that is made of it. */
#ifndef LP_EXPLORE_REDUCE_BLOCKED_FOREVER_H
#define LP_EXPLORE_REDUCE_BLOCKED_FOREVER_H

#include "explore/graph/frame.h"

/* Can no revisit ever change what the thread has done last?  What it wrote in memory of its
 * own does not count, nor stores that it was spared: only another read, or number, before
 * them would help. */
bool lp_is_blocked_forever(struct lp_explorer *, lp_tid);

/* Has the thread done what others can see, or race with, since the last event that a revisit could
 * change?  Then it may be stuck: but what becomes of the others is still to be looked at. */
bool lp_blocked_has_touched(struct lp_explorer *, lp_tid);

#endif
