/* blocked_forever.h -- threads that never go on, neither in a graph nor in any graph that grows out of it. */
#ifndef LP_EXPLORE_REDUCE_BLOCKED_FOREVER_H
#define LP_EXPLORE_REDUCE_BLOCKED_FOREVER_H

#include "explore/graph/frame.h"

/* Can no revisit change what the thread has done last?  Writes to memory of its own do not count, nor do redundant stores that
 * it has left to another thread: they would be different only if an earlier read, or a number that was chosen earlier, were. */
bool lp_is_blocked_forever(struct lp_explorer *, lp_tid);

/* Has the thread, since the last event that a revisit could change, done something that other threads can see or race with?  Then
 * the others must still be explored, even if this thread is stuck. */
bool lp_blocked_has_touched(struct lp_explorer *, lp_tid);

#endif
