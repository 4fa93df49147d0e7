/* blocked_forever.h -- threads that never go on, in a graph and in all graphs that the exploration makes from
 * it. */
#ifndef LP_EXPLORE_REDUCE_BLOCKED_FOREVER_H
#define LP_EXPLORE_REDUCE_BLOCKED_FOREVER_H

#include "explore/graph/frame.h"

/* Is it certain that no revisit changes what the thread has done last? This depends on its last read, write or choice. Writes
 * to the thread's own memory, and redundant stores that it has left to another thread, are skipped, because they change only
 * if an earlier read or choice of the thread changes. */
bool lp_is_blocked_forever(struct lp_explorer *, lp_tid);

/* After the last event that a revisit could change, has the thread done something that other threads can see or race with? Then
 * the others must still be explored, even if this thread is stuck. */
bool lp_blocked_has_touched(struct lp_explorer *, lp_tid);

#endif
