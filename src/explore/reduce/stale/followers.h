/* followers.h -- like threads that depend on a stale read only because they are like its thread.
 *
 *     D                     T                     V            three like threads, in this order
 *     load head = a         load head = a  (r)    load head = a
 *     load tail = x         load tail = y         load tail = y
 *     cas head a -> b  (e)  cas head fails        cas head a -> b  (w)
 *
 * T has read r, which is out of date, and is stuck (stale.h).  Symmetry puts r into the past of the like threads above T
 * (symmetry.h).  So a write w of one of them, or of a thread that reads from one of them, can have r in its past and revisit
 * a read e that was added before r.  Such a revisit keeps r, and removes other events that were added before r.  It is called
 * a *break*: after it, T might succeed.
 *
 * Claim: no complete execution is lost if one of these conditions holds for each read e that was added before r:
 *   1  e is in the past of r; or e is not maximal; or e is in the past of a write that was added after one of its readers
 *      (stale.h, 1);
 *   2  the location of e is closed: no active thread ever writes there;
 *   3  e is half of an RMW of a thread D.  All public writes to its location are RMWs.  Of the active threads only those like D
 *      write there, and none of them can take the write that e reads without breaking the canonical order (symmetry.h);
 *   4  later in the same thread, an RMW as in 3 takes the write that e reads;
 *   5  e is half of an RMW of a thread D that is doomed without it: e replaces a value that is written once; D has only read
 *      since its iteration began; and if e fails, D returns to that point, whatever it is answered, and only reads on the
 *      way (ways_back.h).
 * A thread is *active* unless it is about to end and all its events were added before r, and before every read of condition
 * 5 that was added later than e.
 *
 * Consider the first break: w, with r in its past, revisits e.  Until then everything that was added before r is unchanged.
 *
 * 1. If e is in the past of r, it is in the past of w, and w cannot revisit it.  In the other two cases e is never revisited.
 *
 * 2. Only an active thread could have written w.
 *
 * 3. w belongs to an RMW of a thread V that is like D.  If w is above D's write in co, e is in the past of w, because each RMW
 * reads from the one below it.  So V's RMW reads the same write as e.  It is a watched fact that all threads that replace
 * this value were answered the same values before, and that these values are written once.  So before its RMW, V has read
 * from the same writes as D.  If D took one of them by an RMW, V cannot have taken it as well.  Otherwise D and V have done the
 * same; when e reads from w, D reads above V in co.  That is not canonical, since D is below V: all like threads below D are
 * about to end.
 *
 * 4. If w is above the write of that RMW in co, e is in the past of w.  Otherwise w reads the same write as e, and V has done
 * the same as D; when e reads from w, D again reads above V.
 *
 * 5. This break can happen.  It removes events that were added after e.  From then on w reads the write that e has read: w
 * cannot be removed, since it was added after its reader e.  So e fails, and D is stuck after its iteration.  D's reads before
 * e were added before e; only another break can change them.  That one is of condition 5 again, at a read that was added
 * earlier, and its thread is then the one that is stuck.  (The definition of active threads accounts for that.)  So no
 * complete graph follows.
 *
 * After a break, r is in the past of w, which cannot be removed.  So r is not revisited later, even if it is maximal now.
 *
 * These facts are watched (answers.h): which threads write to a location, which values are written once, what threads were
 * answered before they replaced a value, and how many threads there are.
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
