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
 * An iteration may take locks, give all of them back, change nothing else, and leave the thread in the live state
 * in which the iteration began.  Such an iteration is redundant, like one that only reads.
 *
 * Why it may be left out.  Let G be an execution with such an iteration I of thread t.  On the word of a lock, co is
 * ... u L U v ...: I took the lock by the operation L, which read from u, and gave it back by U.  No other thread writes to the
 * word in between, and an operation that takes the lock waits until the lock is free.  So only v may read from U, and only t reads
 * from L.  Leave out the events of I, and let v read from u.  Since u wrote the same value as U, all threads do the same, with the
 * same results.  In G, u happens before v by way of L and U, and also precedes v in co and in (po | rf)+.  So no relation gets new
 * edges, and the result is consistent if G is, with any order of calls that a client adds.  It is an execution of the program,
 * without I.
 *
 * There is one exception: a trylock of another thread may read from L, and then fails.  If there is a trylock on such a word, the
 * exploration restarts without this reduction.  The trylocks are recorded by omitted_races.h, which also records plain reads under the
 * locks, and frees of the memory that a lock is in.
 *
 * Threads that wait forever.  If no other thread can go on, t repeats I, unless the memory that t reads under the locks changes.  A
 * thread that changes such memory plainly, and without a race, must take one of the locks after t.  So t repeats I forever
 * if every thread that takes one of these locks after t does so in a redundant iteration, too.
 */
#ifndef LP_EXPLORE_REDUCE_REDUNDANT_ATTEMPTS_H
#define LP_EXPLORE_REDUCE_REDUNDANT_ATTEMPTS_H

#include "explore/graph/grow.h"

/* Has the thread come back to live state `live` after changing nothing but locks, which are free again, and can this iteration be left
 * out?  If so, marks the thread's last event, as lp_explorer_goes_round() does. */
bool lp_is_redundant_attempt(struct lp_explorer *, lp_tid, uint32_t live);

/* Has the thread just finished a redundant iteration: one that changed nothing, or an attempt as above? */
static inline bool lp_is_redundant_iteration(struct lp_explorer *x, lp_tid thread, uint32_t live)
{
	return lp_explorer_goes_round(x, thread, live) || lp_is_redundant_attempt(x, thread, live);
}

/* May event `i` of the thread be part of a redundant attempt? */
bool lp_may_be_attempt(const struct lp_explorer *, lp_tid, uint32_t i);

/* To be called when the thread's last iteration is redundant.  If it is an attempt that took locks, have all later uses of these locks by
 * other threads been redundant attempts, too? */
bool lp_attempt_is_settled(const struct lp_explorer *, lp_tid);

#endif
