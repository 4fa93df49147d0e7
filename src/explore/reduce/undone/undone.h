/* undone.h -- iterations that take back what they have written.
 *
 *     for (;;) {
 *         first = load(&top);
 *         node->next = first;
 *         if (cas(&top, first, node))
 *             return;
 *         if (!cas(&offer, NULL, node))             W1
 *             continue;
 *         if (load(&offer) != node || !cas(&offer, node, NULL))      W2
 *             return;
 *     }
 *
 * A push that cannot change `top` offers its node, and takes the offer back if no pop accepts it.  After that, the thread and memory are as they were
 * before the iteration.  So if other threads could not have seen the offer, the iteration could be left out.
 *
 * A thread's memory is its stack and the blocks that it has allocated, even after they were made public.  Live states are computed only at operations
 * in loops, so not every operation has one.
 *
 * Claim: executions in which thread p goes on after an iteration I need not be visited (I is left out: p stops after I, and is stuck), if
 *   1  the events of I are reads, failed RMWs, fences, stores in a loop, choices of numbers, beginnings of calls, and pairs of RMWs W1, W2 of a
 *      location L.  In such a pair, W2 is the first RMW of I after W1 that writes; W2 reads from W1, and writes the value that W1 has replaced; and
 *      W1 writes another value than this.  Neither RMW is an operation on a lock, or an operation of linchpin's own, and L is not accessed in parts.
 *      I begins and ends in the same live state; its plain writes and its stores are overwritten (overwritten_iterations.h);
 *   2  L is not in a thread's memory.  `old`, the value before W1, is not an address in a thread's memory.  If `put`, the value that W1 writes, is an
 *      address in a thread's memory, it is one in the memory of p.  In models where reads need not acquire, W1 releases;
 *   3  in all executions, every other thread that reads some bytes of L reads all bytes of L, and no others.  And for every such thread q that is
 *      about to read L, in its current live state: if q gets the answer `put`, then
 *      a  q goes on exactly as with the answer `old`, with the same fences, and without a plain access before its next
 *         operation; or
 *      b  q comes back to a live state in which it has been before, and has only read since.  It does so whatever its later reads
 *         return.  Here a read may return every value that was ever written to its location, and every initial value of the location in some graph.
 *         On the way q reads nothing plainly, and accesses memory of another thread only if the event that made this memory public is in the past of
 *         q (own.h).  Therefore the iteration of q is redundant (grow.h).  If iterations with plain reads may be kept (omitted_races.h), and q has
 *         read plainly in this iteration before it reads L, there is one more requirement: with the answer `old`, q also comes back, by its next
 *         operation and without a fence.  There is one exception.  Suppose that q loads `put`, and that its next operation, at once and without a
 *         fence, is an RMW that replaces `put` by another value (swaps it).  If this RMW succeeds, q need not come back.  This exception relies on 4.
 *      3 is not required if q is the first thread and has not started another one, or if the end of p is in the past of q.  In these cases q cannot
 *      read from W1: p has not begun, or W2 happens before the read.  3 is also not required for an RMW of q that would swap `put` and cannot fail,
 *      because W2 already swaps the `put` of W1;
 *   4  in models where reads need not acquire, a load that reads `put` from L learns only what p had done before p's first operation that has a live
 *      state; if `put` is not an address in the memory of the thread that wrote it, the load learns nothing.  More loads than these are weakened:
 *      all loads of L that read, from another thread, an address in the memory of that thread, or a value that some thread takes back.  This loses
 *      nothing, because less happens before these loads.  The first operation of p with a live state does not restrict other threads: they may still
 *      read older writes than the write that p has read;
 *   5  in these models, no event is seq_cst.
 * 1 and 2 depend on the past of p.  3 and 5 are about all executions, and are watched.  Because of 4, infeasible executions may be
 * visited.  So errors are believed only if they are found again without this reduction.
 *
 * Why the claim holds.  Let G be an execution with I, and no other redundant iteration except those that are kept (omitted_races.h).  W1 and W2 are
 * next to each other in co, directly above the write u that W1 reads from.  Leave out I.  A read that read from W2 now reads from u: the value is the
 * same, u takes the place of W2 in co, and the read learned from W2 everything that it learns from u, because W2 is in the release sequences of u.
 * The other reads to consider are those from W1 by another thread.  Let r be such a read, and q its thread.  The read r does not belong to an RMW
 * that writes, because W2 reads from W1 and writes.
 * 3a: r reads from u instead.  All threads do the same as before, and q learns less.
 * 3b without the exception: the iteration of r is redundant, so it is in G only if it is one that is kept.  Then let r read from u: q comes back at
 * once.
 * The exception: r is a load, and the next event b of q swaps `put`, which b reads from another write v.  Let r read from v, too.  By 4 r learns
 * from v only of what p did before I, and it learned of this from W1, too.  (In 4, p's first operation with a live state does not restrict what
 * other threads read, because in G this operation may have read from another write.  q may know only that the plain accesses before it happened.)
 * A cycle through r in the new graph needs an event after r in happens-before that is not above v in co.  No event is between r and b, so b happens
 * before that event, too, and there would be a cycle in G.
 * In each case the new graph is consistent, has the same results, less happens-before, and fewer events.
 *
 * Why it is enough to look at graphs that are explored.  An event is bad in three cases: it refutes 3 or 5; or it belongs to an iteration as in 1
 * whose pairs write values that were not recorded yet; or it writes a value that is not yet among those with which 3b was checked.  Take an execution
 * with a bad event such that the past of this event in (po | rf) has no other bad event.  In this past, leave out all iterations as in 1.  No read
 * from their writes is bad, so the argument above applies, and the threads are in the same live states.  The rest is explored, and in this graph the
 * event is bad, too.  For 3 this is so because it matters only that q is about to read L, and not which write r reads from.  So I need not be in the
 * graph, and reads that come after events of p that follow I are also covered (tests/programs/bug/undone_stale.c).
 *
 * Like threads (symmetry.h).  When the values of one thread become known, the values that threads like it would have written become known, too.  So
 * the set of known values does not depend on the names of like threads.
 *
 * Races, and frees.  The reads of I are recorded (omitted_races.h).  In 3b three sorts of accesses of q are also recorded: those that the iteration
 * has made so far, the read that q is about to make, and those that q might make on its way back.  This is necessary because q may never make this
 * iteration in an explored graph, if the iteration comes after events of p that follow I.  Accesses of a thread to memory while it was the thread's
 * own are not recorded: by 3b they happen before the accesses of q.  Whether they do depends on what q knows, so this is checked each time q is
 * about to read L, even if a trial in another graph has already shown that q comes back.  The initial values of the locations that q would read on its way
 * are also looked up each time.  This is necessary because plain writes differ from graph to graph, and there need not be an explored graph with an
 * event that reads what they wrote.  Before p is stuck, it overwrites all bytes that I wrote
 * plainly (1), again by plain writes.  So races with the plain writes of I are found as races with these.
 *
 * Threads that wait forever: if p repeats I again and again after all other threads have ended, each of its reads returns the last value that
 * another thread has written to the location, or a value that p itself has written since.
 */
#ifndef LP_EXPLORE_REDUCE_UNDONE_UNDONE_H
#define LP_EXPLORE_REDUCE_UNDONE_UNDONE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "explore/graph/seen.h"
#include "explore/reduce/undone/shifts.h"
#include "graph/graph.h"
#include "program/program.h"

struct lp_explorer;

/* The operations on a way back: a part of lp_undone_tried.ops. */
struct lp_undone_way {
	uint32_t first, count;
};

/* What was tried.  In each trial, a thread in a live state, at an operation, gets the answer `put` of a pair. */
struct lp_undone_tried {
	struct lp_seen known;                                 /* the trials, each with its result: 0 if the thread does not come back as
	                                                       * required; otherwise 1 + the index of its way in `ways` */
	struct { LP_VEC(struct lp_undone_way); } ways;
	struct { LP_VEC(uint32_t); } ops;
	struct lp_shifts_tried shifts;
};

void lp_undone_close(struct lp_undone_tried *);

/* Checks conditions 1 and 2 for the thread's events with indices from `from` to `to` - 1.  Do the read-modify-writes among them that write come in
 * pairs, of which the second takes back the first?  Returns true also if there are no such read-modify-writes.  If there are pairs, the exploration
 * from now on relies on the fact that they are harmless (undone_pairs.h). */
bool lp_undone_restores(struct lp_explorer *, lp_tid, uint32_t from, uint32_t to);

/* Has the thread come back to live state `live`, and taken back all changes that it made since, and can this iteration be left out?  If so,
 * marks the thread's last event, as lp_explorer_goes_round() does. */
bool lp_undone_retries(struct lp_explorer *, lp_tid, uint32_t live);

/* The thread is about to perform operation number `op`, which reads.  Checks condition 3 for all values that other threads take back. */
void lp_undone_read(struct lp_explorer *, lp_tid, uint32_t op, uint32_t live);

/* To be called for each event of the top frame that is explored.  Records whether the event refutes condition 5. */
void lp_undone_note(const struct lp_explorer *, lp_eid);

/* Weakens the read, whose rf is set, as condition 4 says. */
void lp_undone_weaken(struct lp_explorer *, struct lp_event *read);

/* The memory order that the read had before it was weakened.  (With another rf it might not be weakened.) */
enum lp_order lp_undone_order(const struct lp_explorer *, const struct lp_event *read);

/* For condition 4: if a read that is about to be added is the first operation of its thread with a live state, marks it as loose
 * (graph.h).  A loose read does not restrict what other threads read. */
void lp_undone_loosen(const struct lp_explorer *, struct lp_event *read, uint32_t live);

/* May executions of this pass be infeasible because of condition 4? */
bool lp_undone_is_doubtful(const struct lp_explorer *);

#endif
