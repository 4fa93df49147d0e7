/* redundant_attempts.h -- attempts under locks that changed nothing.
 *
 *     for (;;) {
 *         place = find(list, key);
 *         lock(place.before); lock(place.at);
 *         if (is_valid(place))
 *             break;
 *         unlock(place.at); unlock(place.before);
 *     }
 *
 * An iteration that gives back every lock that it took, has changed nothing besides, and leaves
 * the thread in the live state in which it began, is redundant like one that only read.
 *
 * Why it may be left out: let G be an execution with such an iteration I, of thread t.  On the
 * word of a lock co is ... u L U v ..., where I took the lock by L, which read from u, and gave
 * it back by U: no other thread writes to the word meanwhile, and what takes it waits till it is
 * free, so that only v may read from U, and only U's thread from L.  Leave out the events
 * of I, and let v read from u.  That holds what U did, so all threads do the same with the
 * same results.  u happens before v in G, too, by way of L and U, and is before it in co and
 * in (po | rf)+: no relation gets new edges.  So the execution is consistent if G is, with
 * any order of calls that a client adds; it is one of the program's, without I.
 *
 * An operation of another thread may read from L: one that only tries to take the lock, and fails.  If
 * there is such an operation on such a word, the exploration restarts without this reduction (omitted_races.h,
 * which also records plain reads under the locks, and frees of the memory that a lock is in).
 *
 * Threads that wait forever: if no other thread can go on, t will repeat I, unless what it reads under the locks
 * changes.  Who changes that plainly without a race has taken one of the locks after t has; so t
 * repeats I forever if the threads that took them later did so in such an iteration as well.
 */
#ifndef LP_EXPLORE_REDUCE_REDUNDANT_ATTEMPTS_H
#define LP_EXPLORE_REDUCE_REDUNDANT_ATTEMPTS_H

#include "explore/graph/grow.h"

/* Has the thread come back to a live state, having changed nothing but locks, which are as they
 * were?  Then its last event is marked, as by lp_explorer_goes_round(). */
bool lp_is_redundant_attempt(struct lp_explorer *, lp_tid, uint32_t live);

/* Has the thread just finished an iteration that need not be in the graph: one that changed nothing, or
 * such an attempt?  For explorers that go forward only: all of them are to see the same. */
static inline bool lp_is_redundant_iteration(struct lp_explorer *x, lp_tid thread, uint32_t live)
{
	return lp_explorer_goes_round(x, thread, live) || lp_is_redundant_attempt(x, thread, live);
}

/* May event `i` of the thread be part of such an iteration? */
bool lp_may_be_attempt(const struct lp_explorer *, lp_tid, uint32_t i);

/* The thread's last iteration is such a one: has no other thread since done more with its locks? */
bool lp_attempt_is_settled(const struct lp_explorer *, lp_tid);

#endif
