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
 * A push that cannot change `top` offers its node, and takes the offer back if no pop accepts it.  After that the thread and memory are as they were
 * before the iteration.  So the iteration could be left out, if other threads could not have seen the offer.
 *
 * Claim: an iteration I of thread p may be left out, p being stuck after it, if
 *   1  the events of I are reads, failed RMWs, fences, and pairs of RMWs W1, W2 of a location L: W2 reads from W1, and writes what W1 has
 *      replaced.  I begins and ends in the same live state; what it wrote plainly is overwritten (overwritten_iterations.h);
 *   2  L is in no thread's memory.  What was there before W1, `old`, is no address of a thread's memory; what W1 puts there, `put`, is none, or one
 *      of memory of p.  In models where reads need not acquire, W1 releases;
 *   3  in all executions, every other thread that reads some bytes of L reads all of them, and no others; and for every such thread q that is about to read
 *      L, in the live state in which it then is: if it is answered `put`, then
 *      a  it goes on exactly as if it were answered `old`, with the same fences, and without a plain access in between; or
 *      b  it comes back to a live state in which it has been before, and has only read since; whatever its later reads are answered, of all
 *         values that were ever written to their locations, or are there from the beginning in some graph; without plain reads, and accessing memory of another thread only after what made it
 *         public in the past of q (own.h).  Then its iteration is redundant (grow.h).  If such
 *         iterations may be kept for their plain reads (omitted_races.h), it also comes back at once, without a fence, if it is answered `old`.
 *      It is an exception that q swaps `put` by the operation that follows a load at once, without a fence in between: 4;
 *   4  in models where reads need not acquire, a load that reads `put` from L learns only what p had done before its first operation
 *      that has a live state; or nothing, if `put` is not an address of memory of the thread that wrote it.  Such first operations do not bind other
 *      threads: they may read what is older;
 *   5  in these models, no event is seq_cst.
 * 1, 2 depend on the past of p.  3, 5 are about all executions, and are watched.  By 4 executions are visited that may be infeasible:
 * errors are believed only if they are found again without this reduction.
 *
 * Why.  Let G be an execution with I, and no other redundant iteration.  W1 and W2 are next to each other in co, directly above the write u that W1
 * reads from.  Leave out I.  Reads of W2 become reads of u: the value is the same, u is in co where W2 was, and what they learn from u they
 * learned from W2, which is in the release sequences that u is in.  It remains to say what becomes of a read r of W1 by another thread q.
 * It is no RMW that writes, since W2 is.
 * 3a: r reads from u instead.  All threads do the same as before, and q learns less.
 * 3b without the exception: the iteration of r is redundant, and G has none.  If it was kept, r reads from u, and q comes back at once.
 * The exception: r is a load, and the next event b of q swaps `put`, which it reads from another write v.  Let r read from v, too.  By 4 it learns
 * at most what it learned from W1, as p had done all that before I.  (Of the first operation with a live state q may know that plain accesses
 * come before it, but not what it has read, since in G that may be another one.)  A cycle through r in the new graph needs an event before which r happens, and
 * which is not above v in co.  r and b have nothing between them, so b happens before that event, and it would be a cycle in G.
 * In each case the new graph is consistent, has the same results, less happens-before, and fewer events.
 *
 * Why it is enough to look at graphs that are explored.  An event is bad if it refutes 3 or 5, or belongs to an iteration as in 1 whose values are not known yet, or writes a
 * value that is new to 3b.  Take an execution with a bad event, and one whose past in (po | rf) has no other.  In that past, leave out all iterations as in
 * 1: no read of them is bad, so what was said above applies, and the threads are in the same live states.  The rest is explored, and there the
 * event is bad, too: that of 3, since it does not matter what r reads, but that q is about to.  This includes *stale* reads, which come after events
 * of p that follow I (tests/programs/bug/undone_stale.c): it is not necessary that I is in the graph.
 *
 * Like threads (symmetry.h).  With the values of one thread, those that threads like it would have written are known as well.  So the
 * set of values is the same, whatever the names of like threads are.
 *
 * Races, and frees.  What I reads is recorded (omitted_races.h).  In 3b so is what the iteration of q has accessed so far, what it is about to read, and what it might access on
 * its way back: q may never make that iteration in a graph that is explored, if it comes after events of p that follow I.  What a thread did to memory while that was its
 * own is not recorded: by 3b it happens before the accesses of q.  That depends on what q knows, so it is asked each time that q is about to
 * read L, also where it is remembered from another graph that q comes back.  So is what is there from the beginning, where q would read on its way: plain
 * writes differ from graph to graph, and no graph that is explored need have an event that reads what they wrote.  What I wrote plainly p writes again before it is
 * stuck, so that races with that are met.
 *
 * Threads that wait forever: if p makes I again and again, all others having ended, it reads what is there last, except for what it has written itself.
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

/* The operations on a way back: a part of `ops`. */
struct lp_undone_way {
	uint32_t first, count;
};

/* What was tried: a thread in a live state, at an operation, that is answered the value of a pair. */
struct lp_undone_tried {
	struct lp_seen known;                                 /* the answer for each: 0, it goes elsewhere; or 1 + the number of one of `ways` */
	struct { LP_VEC(struct lp_undone_way); } ways;
	struct { LP_VEC(uint32_t); } ops;
	struct lp_shifts_tried shifts;
};

void lp_undone_close(struct lp_undone_tried *);

/* Conditions 1 and 2, for the thread's events from `from` on, before `to`.  Do its read-modify-writes that write come in pairs, of which the second takes
 * back the first?  Then it is relied upon that other threads do not see these values.  True, too, if there are none. */
bool lp_undone_restores(struct lp_explorer *, lp_tid, uint32_t from, uint32_t to);

/* Has the thread come back to a live state, having changed nothing but what it has taken back?  Then its last event is marked, as by
 * lp_explorer_goes_round(). */
bool lp_undone_retries(struct lp_explorer *, lp_tid, uint32_t live);

/* The thread is about to perform the operation, which reads.  Tries condition 3 for all values that other threads take back. */
void lp_undone_read(struct lp_explorer *, lp_tid, uint32_t op, uint32_t live);

/* Looks at an event of the top frame that is explored: it may refute condition 5. */
void lp_undone_note(const struct lp_explorer *, lp_eid);

/* Condition 4: the read, whose rf is given, learns less than it would. */
void lp_undone_weaken(struct lp_explorer *, struct lp_event *read);

/* Condition 4: marks the read, which is about to be added, if it is the first of its thread with a live state.  Other threads need not respect it. */
void lp_undone_loosen(const struct lp_explorer *, struct lp_event *read, uint32_t live);

/* May executions of this pass be infeasible because of condition 4? */
bool lp_undone_is_doubtful(const struct lp_explorer *);

#endif
