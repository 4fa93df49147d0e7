/* followers.h -- like threads that depend on a stale read only because they are like the thread that made it.
 *
 *     D                     T                     V            three like threads, in this order
 *     load head = a         load head = a  (r)    load head = a
 *     load tail = x         load tail = y         load tail = y
 *     cas head a -> b  (e)  cas head fails        cas head a -> b  (w)
 *
 * The read r of T is out of date, and T is stuck (stale.h).  Symmetry puts r into the past of the like threads above T, that is, those with
 * higher numbers (symmetry.h).  So a write w of such a thread, or of a thread that reads from such a thread, can have r in its past and revisit
 * a read e that was added before r.  Such a revisit keeps r, and removes other events that were added before r.  This is called a
 * *break*: after it, T might succeed.
 *
 * Claim: no complete execution is lost if one of these conditions holds for each read e that was added before r:
 *   1  e is in the past of r; or e is not maximal; or e is in the past of a write that was added after one of its
 *      readers (stale.h, 1);
 *   2  e is half of an RMW of a thread D.  All public writes to its location are RMWs.  Of the active threads only those like D
 *      write there, and none of them can *take* the write that e reads, that is, replace it by an RMW, without violating the canonical order
 *      (symmetry.h);
 *   3  later in the thread of e, an RMW as in 2 takes the write that e reads;
 *   4  e is a read of a thread D, and D is doomed if e is revisited.  This means the following.  D has only read, and performed fences, since it was
 *      in some live state.  If e reads from a write that is added later, D returns to that state, with any answers to its later reads.  On the way D
 *      only reads, by operations that do not wait, and makes no plain access (ways_back.h).  Between that state and e, D has read the location of e
 *      before, and no value is written there twice;
 *   5  the location of e is closed: no active thread ever writes there.
 * A thread is not *active* if two things hold: it has ended or is about to end; and all its events were added before r, and before every read that
 * was added later than e and for which only condition 4 holds.  All other threads are active.
 *
 * Consider the first break: w, with r in its past, revisits e.  Until then everything that was added before r is unchanged.
 *
 * 1. If e is in the past of r, it is in the past of w, and w cannot revisit it.  In the other two cases e is never revisited.
 *
 * 2. Only an active thread could have written w.  So w belongs to an RMW of a thread V that is like D.  If w is above D's write in co, e is in the
 * past of w, because each RMW reads from the one below it.  So w is not above D's write, and V's RMW reads the same write as e.  It is a watched
 * fact that all threads that replace this value were answered the same values before, and that these values are written once.  So before its RMW, V
 * has read from the same writes as D.  If D took one of these writes by an RMW, V cannot have taken it, too.  If D took none of them, D and V have
 * done the same; then, when e reads from w, D reads above V in co.  That is not canonical, since D is below V: all like threads below D are about to
 * end.
 *
 * 3. If w is above the write of that RMW in co, e is in the past of w.  If it is not, the RMW of w reads the same write as e, and V has done
 * the same as D; when e reads from w, D again reads above V.
 *
 * 4. This break can happen.  It removes events that were added after e, so that e is the last event of D, and reads from w.  By 4 D returns, and is
 * stuck: its iteration is redundant, and contains e.  Now w cannot be removed, since it was added after its reader e.  If e is revisited once more,
 * e reads again from a write that was added after all the others.  What D then reads after e may be anything, as 4 requires.  In both cases D
 * returns.  D's reads before e were added before e.  A revisit of one of them keeps w, so the write that makes this revisit has r in its past: the
 * revisit is another break.  This other break is of condition 4 again, at a read that was added earlier, and the thread of that read is then stuck.
 * (The definition of active threads accounts for that.)  So no complete graph follows.  Nor does a graph follow in which D waits for good (such a
 * graph would be an execution of the program), because in its iteration D has read two values at the location of e, and at most one of them is the
 * last one (lp_explorer_waits_for_good()).  Usually e is an RMW that has succeeded: if its value is not written twice, it fails with every other
 * answer.  In another common case e is a read which sees that nothing has changed: with another answer its thread starts again.  D may have gone on
 * after e, and have changed memory, but its return is tried with memory as it was before e.  What D reads plainly on the way would be compared with
 * memory as it is now (ways_back.h), so D must not read plainly.
 *
 * 5. Only an active thread could have written w.
 *
 * After a break, r is in the past of w, which cannot be removed.  So r is not revisited later, even if it is maximal now.
 *
 * Four sorts of facts that are used here are watched (answers.h): which threads write to a location, which values are written once, what
 * threads were answered before they replaced a value, and how many threads there are.
 */
#ifndef LP_EXPLORE_REDUCE_STALE_FOLLOWERS_H
#define LP_EXPLORE_REDUCE_STALE_FOLLOWERS_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/graph.h"

struct lp_explorer;

/* Does one of the conditions hold for each read e that was added before r, so that no break leads
 * to a complete execution? */
bool lp_followers_keep(struct lp_explorer *, lp_eid r);

#endif
