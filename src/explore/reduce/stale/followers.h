/* followers.h -- like threads that depend on a stale read only because they are like its thread.
 *
 * T has read r, which is out of date, and is stuck (stale.h).  Symmetry puts r into the past of like threads that come after
 * T (symmetry.h).  So a write w of one of them, or of a thread that has read from one, may have r in its past, and may revisit a
 * read e that was added before r.  Such a revisit keeps r, and takes out other events that were added before it:
 * it is a *break*, after which T might succeed.
 *
 * Claim: no complete execution is lost if, for each read e that was added before r, one of these holds:
 *   1  e is in the past of r, is not maximal, or is in the past of a write that was added after one of its readers (stale.h, 1);
 *   2  the location of e is closed: no active thread ever writes there;
 *   3  e is half of an RMW of a thread D; all public writes to its location are RMWs; only threads like D write there, of those
 *      that are active; and of them none, above D, takes the write that e reads in a canonical order (symmetry.h);
 *   4  an RMW of 3 takes the write that e reads, later in the same thread;
 *   5  D as in 3 is doomed without e: it has replaced a value that is written once; it has only read since its iteration
 *      began; and if e fails it comes back there, whatever it is answered, and only reads on the way (ways_back.h).
 * A thread is *active* unless it is at its end, and all its events were added before r; and before each e of 5 that is
 * above the read in question.
 *
 * Let w, which has r in its past, revisit e: the first break.  Up to then all that was added before r is as it is now.
 *
 * 1. If e is in the past of r, it is in the past of w, and is not revisited.  The other two are never revisited.
 *
 * 2. w would have to be written by a thread that is active.
 *
 * 3. w is an RMW, of a thread V that is like D.  If w is above D's write in co, e is in the past of w: each RMW reads
 * from the one below it.  So V's RMW reads the same write as e.  Say that all threads that ever replace this value by an RMW
 * have been answered the same values before, and these are written once: then V has read from the same writes as D before e.  If
 * D has taken one of these by an RMW, V cannot have done so.  Else D has done the same as V; and if e reads from w, D reads above
 * V in co, which is not canonical, since D is lower.  Are all like threads below D at their end, there is no lower V.
 *
 * 4. If w is above the write of that RMW in co, e is in the past of w.  If not, w reads the same write as e does, and V has done the same
 * as D: with e reading from w, D again reads above V.
 *
 * 5. This break may happen.  It takes out what was added after e, and is not in the past of w.  w reads what e has read, for good:
 * it was added after its reader e.  So e fails, and D is stuck.  Its reads before e are intact, and are as they are
 * for good: a later break is one of 5 as well, of a read that was added before e, and then the thread of that read is
 * doomed.  (Which threads are active takes that into account.)  So no graph that follows is complete.
 *
 * What is relied upon is watched (answers.h): which threads write to a location, that a value is written once, what threads were answered
 * that replace it, and how many threads there are.
 */
#ifndef LP_EXPLORE_REDUCE_STALE_FOLLOWERS_H
#define LP_EXPLORE_REDUCE_STALE_FOLLOWERS_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/graph.h"

struct lp_explorer;

/* Does every break, if there is one, leave a thread stuck for good? */
bool lp_followers_keep(struct lp_explorer *, lp_eid r);

#endif
