/* arrivals.h -- explores one order of the arrivals at a barrier.
 *
 *     pthread_barrier_wait(&barrier);               by each of N threads
 *
 * An arrival is a read-modify-write that increments the number of arrivals.  After it, its thread waits for the end of the round; the last
 * thread to arrive ends the round instead.  N threads arrive in N! orders, which make no difference.
 *
 * Claim: an arrival may always be placed after all arrivals of the graph in co, and need not revisit any of them, if
 *   1  no thread can find out which thread was the last: all callers ignore the result;
 *   2  the round to which an arrival belongs does not depend on the order: the end of the previous round is in the
 *      arrival's past;
 *   3  no threads are declared alike, because symmetry.h requires an order of its own; like threads that were only recognised
 *      are then treated as different.
 * 1 and 2 are about all executions.  Both are checked for each arrival that is added; if one fails, the exploration restarts
 * without this reduction.
 *
 * Let P be the program.  Let P' be the program in which an arrival is a store to a word that belongs to its thread and its round alone, and each
 * thread then waits for all words of the round.  By 2 each round has the same arrivals in P' as in P.  All arrivals of a round happen before each
 * return from it.  In P this is so because of the read-modify-writes, which acquire and release, and because of the count of rounds, which the last
 * thread releases and the others acquire.  Between its arrival and its return a thread does nothing else.  So by 1 the executions of P, without
 * regard to the order of arrivals, are those of P', with the same happens-before between all other events, and the same races, frees and threads that
 * wait forever.
 *
 * The exploration is that of P'.  In P' an arrival has one place in co, reads nothing, and revisits only reads that wait for it.  In the explorer's
 * graphs, an arrival reads from the arrival that was added before it, which is therefore in its past.  This makes no difference: in P', too, if an
 * event comes after an arrival in its thread, all arrivals of the round are in the event's past.  A revisit that removes an arrival also removes the
 * arrivals that were added after it; and an arrival is always added maximally.
 *
 * Barriers that a program implements with its own counter are not reduced.  In such a barrier, the thread that arrives last does
 * something that the others do not: it resets the counter, and stores the sense.  In another order of arrivals, these
 * events are in another thread, and the fetch-and-adds return other results.  So an execution cannot be left out because of an execution with
 * another order, unless it is known what the threads do with these results.
 */
#ifndef LP_EXPLORE_REDUCE_UNORDERED_ARRIVALS_H
#define LP_EXPLORE_REDUCE_UNORDERED_ARRIVALS_H

#include "explore/graph/frame.h"

/* The thread has come to the operation, whose location `loc` is in the graph.  Is the operation an arrival whose order makes no difference? */
bool lp_arrivals_apply(struct lp_explorer *, lp_tid, const struct lp_op *, uint32_t loc);

/* Does the write, which is in the graph, belong to such an arrival? */
bool lp_arrivals_has_arrived(const struct lp_explorer *, const struct lp_event *write);

#endif
