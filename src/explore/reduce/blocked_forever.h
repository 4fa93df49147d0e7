/* blocked_forever.h -- threads that never go on: neither in the current graph nor in a graph that the exploration makes
 * from it. */
#ifndef LP_EXPLORE_REDUCE_BLOCKED_FOREVER_H
#define LP_EXPLORE_REDUCE_BLOCKED_FOREVER_H

#include "explore/graph/frame.h"

/* Is it certain that no revisit changes what the thread has done last?  It is if the thread's last read, write or choice is not maximal (revisit.h),
 * or if the first thread has none of these.  In the search for this last event three sorts of events are skipped: writes to the thread's own memory;
 * redundant stores that it has left to another thread; and maximal writes of its last redundant iteration.  Events of the first two sorts change only
 * if an earlier read or choice of the thread changes.  Without a write of the third sort, the thread could still not go on. */
bool lp_is_blocked_forever(struct lp_explorer *, lp_tid);

/* After its last read or choice, has the thread done something that other threads can see or race with?  If so, the
 * other threads must still be explored, even if this thread is stuck. */
bool lp_blocked_has_touched(struct lp_explorer *, lp_tid);

#endif
