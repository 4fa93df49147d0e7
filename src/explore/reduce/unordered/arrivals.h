/* arrivals.h -- arrivals at a barrier are a set.
 *
 *     pthread_barrier_wait(&barrier);               by each of N threads
 *
 * An arrival counts: it is a read-modify-write of the number of arrivals, after which its thread waits for the end of the round, or
 * ends it if it is the last one.  N threads arrive in N! orders, which make no difference.
 *
 * Claim: an arrival may be added after all arrivals in the graph, and revisit none of them, if
 *   1  nothing looks at which thread was the last: all calls ignore what they return;
 *   2  which round an arrival belongs to does not depend on the order: the end of the round before it is in its past;
 *   3  no threads are declared alike (symmetry.h has an order of its own); those that are recognised count as different then.
 * 2 is about all executions, like 1.  Both are looked at for each arrival that is added; if one fails, the exploration restarts
 * without this reduction.
 *
 * Let P' be the program in which an arrival is a store to a word of its thread's own and its round's, and each thread then waits for all such
 * words.  By 2 each round has the same arrivals in P' as in P.  All arrivals of a round happen before each return from it: in P
 * by the read-modify-writes, which acquire and release, and by the count of rounds, which the last one releases and the others acquire.  Between
 * its arrival and its return a thread does nothing else.  So by 1 the executions of P, without regard to the order of arrivals, are those of P', with the same
 * happens-before between all other events, and the same races, frees and threads that wait forever.
 *
 * The exploration is that of P'.  There, an arrival has one place in co, reads nothing, and revisits only reads that wait for it.  Here, it
 * reads from the arrival that was added before it, which is therefore in its past.  That makes no difference: what
 * comes after an arrival in its thread has all arrivals of the round in its past, also in P'.  A revisit takes out an arrival together with
 * those that were added after it, unless all of them are kept; and an arrival is always added maximally.
 *
 * Barriers that a program implements with its own counter are not reduced.  There, the thread that arrives last does
 * something that
 * the others do not: it resets the counter, and stores the sense.  In another order of arrivals, these events are in
 * another thread, and the fetch-and-adds return other results.  So it is not covered by an execution with the same
 * results, unless it is known what the threads do with these results.
 */
#ifndef LP_EXPLORE_REDUCE_UNORDERED_ARRIVALS_H
#define LP_EXPLORE_REDUCE_UNORDERED_ARRIVALS_H

#include "explore/graph/frame.h"

/* Is the operation, of a thread that comes to it, an arrival whose order makes no difference?  Location `loc` is in the graph. */
bool lp_arrivals_apply(struct lp_explorer *, lp_tid, const struct lp_op *, uint32_t loc);

/* Is the write, which is in the graph, that of such an arrival? */
bool lp_arrivals_has_arrived(const struct lp_explorer *, const struct lp_event *write);

#endif
