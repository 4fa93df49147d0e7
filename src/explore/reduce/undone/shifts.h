/* shifts.h -- attempts that add a number to a location, and subtract it again if they fail.
 *
 *     while (fetch_sub(&left, 1) <= 0) {             o, in live state A
 *         fetch_add(&left, 1);
 *         while (load(&left) <= 0)
 *             ;
 *     }
 *
 * A thread that finds nothing left adds its 1 again, and waits.  For a while `left` is too small, and other threads may see this.  If these threads
 * then only fail in the same way, or go on as if they had not seen the small value, the attempt has no effect: the thread might as well wait at o
 * until it can succeed.
 *
 * Let L be the location, and o an operation that reads L.  A *shift* is an addition or subtraction.  F(A, o) is the set of answers to o with which a
 * thread in live state A can only come back to A: with all answers to its later reads, the thread only loads L and shifts L, by zero in all, and
 * perhaps performs fences.  The sums by which L is shifted on the way are the *transients* of the thread.  V is the set of values that L has in the
 * visited executions.  S is the set of sums of transients, with at most one transient of each thread other than the one that reads L.  V + S is the
 * set of sums v + s, for v in V and s in S.
 *
 * Claim: a shift o of L that is answered a value of F(A, o) may wait for another answer, as an operation on a lock does, if
 *   1  L is not in a thread's memory, and no value of V + S looks like an address of such memory.  In all executions, every access to bytes of L
 *      after other threads have started is an atomic load of exactly L, or a shift of exactly L by a number other than zero;
 *   2  in the definition of F, later reads may get every answer in V + S, plus the sum by which the thread itself has shifted L.  The thread accesses no
 *      memory plainly.  If it comes to the same live state twice without having come back to A, then both times its shifts of L sum up to zero, its
 *      last read is a load, and the answer to this load is in F(A, o), too;
 *   3  in all executions, for every thread q in live state B that is about to load or shift L by an operation p, and for each v in V and s in S: if
 *      v is in F(B, p) and p is a shift, then v + s is in F(B, p), too; and if v is not in F(B, p) or p is a load, then either v + s is in F(B, p),
 *      or q does the same with the answer v + s as with the answer v: the same plain accesses and fences, the same memory afterwards, the same live
 *      state, the same next operation.  This is not required of a thread that runs alone: one that has not started other threads yet, or that knows
 *      that all others have ended.
 * V, S and the accesses to L are facts about all executions, and are watched: a new value, a new transient, another access, or a read that violates 3
 * restarts the exploration.  F depends only on live states, V and S.
 *
 * Why the claim holds.  Let P be the program, and G an execution of P.  In each thread leave out all attempts.  An attempt begins with a read of L,
 * in live state A, whose answer is in F(A, o), and ends when the thread is in A again.  If the thread is never in A again, the attempt contains all
 * the rest of the thread.  Only shifts change L, so co of L is a chain of read-modify-writes.  If the rf of a read is left out, the read reads from
 * the nearest write below that is still there.  So its value is v instead of v + s, where s is the sum by which attempts of other threads have
 * shifted L up to this place of co.  Attempts of the thread itself add nothing: each lies wholly below the read in co, and sums up to zero.  By 3
 * every thread goes on as before, and each remaining shift shifts by the same number.  No remaining read has an answer v in F.  If a shift had one,
 * v + s would be in F by the first part of 3.  If a load had one, v + s would be in F by the second part of 3, since a thread that does the same
 * with v + s as with v comes back with both.  In both cases the read would have been left out as part of an attempt.  The new graph is consistent in
 * every model:
 *   - events are removed, among them perhaps fences, so po and co shrink, and what fences order.  Let a read r have read from a removed write W, and
 *     read from u now: the writes from u to W are a chain of rf and read-modify-writes;
 *   - po | rf: there was a path of this relation from u to r;
 *   - hb: W is in the release sequences of u, so r already learned what it learns from u;
 *   - fr: a write above u in co that is still there was above W.  Hence eco, psc and, for sc and tso, the orders of all accesses shrink.  Under tso the
 *     chain consists of locked instructions, which order u before r even if both are of one thread;
 *   - each read-modify-write still directly follows the write that it reads from.
 * The new graph has the results of G.  Its happens-before is smaller, so races between the remaining accesses are not lost.  The accesses of
 * attempts are all to L, and are recorded (omitted_races.h).  Threads read the same values plainly in both graphs, or such a plain read races in the
 * new graph.
 *
 * Threads that wait forever.  If a thread of G waits forever in an attempt, it is in the loop of 2, and its reads return the value f that L has at
 * the end.  Then no other thread has a transient, by 2.  In the new graph L also has the value f at the end, and f is in F, so the thread waits at
 * o.  Conversely, if a thread waits at o with the value f, it never ends in P when it runs alone, because it comes back with every answer.  If two
 * threads can make each other fail without end, this is not reported.
 *
 * No execution is invented: a thread that waits has not performed o yet, so a graph without its waiting read is an execution of P.  The reduction is
 * EXACT (reductions.def) for this reason.  Nevertheless, if a graph has an error and some thread waits at such an o in it, the error is searched for
 * again without this reduction (lp_shifts_are_awaited()).  The report then shows what the thread does instead of waiting, and the claim that the
 * thread waits forever does not rest on F.
 *
 * Why it is enough to look at graphs that are explored.  An event is bad if it writes a new value, has a new transient, or refutes 1 or 3.  Take an
 * execution with a bad event whose past has no other bad event.  In this past, leave out all attempts.  The rest is explored, and in this graph the
 * thread is about to perform the same operation in the same live state.  The program in which attempts wait is again a program
 * (docs/algorithms/reductions.md, Lemma 1), to which the other reductions are applied.  If such a reduction knows that a read fails, and therefore
 * does not perform it, the read was performed once with this answer, in this live state, without plain accesses.  A read of L is always performed
 * before it is found to be stale.  The searches for ways back of stale.h and undone.h do not perform reads, and only answer them with values of
 * explored graphs.  So if a thread reads L on a way back, the rest of this way counts as unknown (lp_back_answers()).
 *
 * Bounds on loops (limits.unroll).  With such a bound, a thread stops, as at a false assumption, before it performs an operation of a loop once too
 * often in a call.  This depends on the thread's past only, so P with these stops is again a program, and the argument applies to it.  A thread does
 * not stop earlier in the new graph, where it has performed each operation at most as often as in G.  A thread that stops in the middle of an
 * attempt leaves a transient behind; F is defined without the bound, so this transient is known.  The graph is then blocked, and threads that wait
 * in it are no error.  So if a thread is found to wait forever at o, no thread has stopped.  The search without this reduction may stop this thread
 * in its attempts instead; the answer of that search counts.
 *
 * The reduction is not used if redundant iterations may be kept (omitted_races.h), if schedules are
 * bounded, or with limits.fair.
 */
#ifndef LP_EXPLORE_REDUCE_UNDONE_SHIFTS_H
#define LP_EXPLORE_REDUCE_UNDONE_SHIFTS_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/graph/seen.h"
#include "explore/reduce/facts/undone_pairs.h"
#include "graph/graph.h"
#include "program/program.h"

struct lp_explorer;

/* What was tried in this pass. */
struct lp_shifts_tried {
	const struct lp_undone_pairs *pairs; /* all transients that are known, in any pass; NULL: attempts are kept */
	struct lp_seen prepared; /* live states and operations: F is known for them */
	struct lp_seen fails;    /* live states, operations and answers: the number is 1 if the answer is in F, and 0 if
	                          * not */
	struct lp_seen same;     /* live states, operations and pairs of answers: the second part of condition 3 holds for them, and no
	                          * memory was accessed plainly */
	struct lp_seen passed;   /* the uids of reads for whose answers condition 3 was checked */
};

void lp_shifts_close(struct lp_shifts_tried *);

/* Are attempts left out at any location? */
static inline bool lp_shifts_any(const struct lp_shifts_tried *t)
{
	return lp_undone_pairs_any(t->pairs);
}

/* Are attempts at the location left out? */
bool lp_shifts_watch(const struct lp_explorer *, uint32_t loc);

/* The thread of the top frame is about to perform operation number `op`, which reads, in live state `live`.  Finds F, the
 * answers with which the thread only comes back. */
void lp_shifts_prepare(struct lp_explorer *, lp_tid, uint32_t op, uint32_t live);

/* To be called when another process has begun the top frame.  Finds F for all reads of the frame, and for the reads of its choices. */
void lp_shifts_learn(struct lp_explorer *);

/* Does the thread wait instead of performing this read?  The read has its answer, and is perhaps not
 * in the graph yet. */
bool lp_shifts_waits(const struct lp_explorer *, const struct lp_event *read, uint32_t live);

/* Checks condition 3 for the operations that were completed last in the top frame. */
void lp_shifts_completed(struct lp_explorer *);

/* To be called for each event of the top frame that is explored.  Records whether the event refutes condition 1. */
void lp_shifts_note(const struct lp_explorer *, lp_eid);

/* Does a thread of the top frame wait because of this reduction? */
bool lp_shifts_are_awaited(const struct lp_explorer *);

#endif
