/* shifts.h -- attempts that add to a location, and add the opposite if that was too much.
 *
 *     while (fetch_sub(&left, 1) <= 0) {             o, in live state A
 *         fetch_add(&left, 1);
 *         while (load(&left) <= 0)
 *             ;
 *     }
 *
 * A reader that subtracts too late adds again, and waits.  For a while `left` is too small, and other threads may see that.  If all that they do then is
 * to fail in the same way, or to go on as if they had not seen it, the attempt is as good as none: the thread might as well wait at o until
 * it can succeed.
 *
 * A *shift* is an addition or subtraction.  F(A, o) is the set of answers to o with which a thread in live state A can only come back to A: whatever its
 * later reads are answered, it loads L and shifts L, by zero in all, and does nothing else.  The numbers by which L is shifted on the way are its
 * *transients*.  V is the set of values that L has in the executions that are visited, S the set of sums of transients, at most one of each other thread.
 *
 * Claim: a shift o of L that is answered a value of F(A, o) may wait for another answer, as an operation on a lock does, if
 *   1  L is in no thread's memory, and no value of V + S looks like an address of such memory.  In all executions, every access to bytes of L, after
 *      threads have begun, is an atomic load or a shift of exactly L (a shift of zero is none);
 *   2  in F, later reads are answered anything of V + S, plus what the thread itself has shifted L by.  The thread accesses no memory plainly.  If it
 *      comes to the same live state twice without having come back to A, it has shifted L by zero there, and both times; the read before is a load; and
 *      its answer is in F(A, o), too;
 *   3  in all executions, for every thread q that is about to load L, or to shift it, by an operation p in live state B, for each v in V, s in S:
 *      if v is in F(B, p), and p is a shift, so is v + s; and
 *      if q goes on after the answer v, then either v + s is in F(B, p), or q does the same with the answer v + s: the same plain accesses and fences, the same
 *      memory afterwards, the same live state, the same next operation.
 *      This is not required of a thread that runs alone: before it begins others, or after all others have ended, as it knows.
 * What is in V and S, and which accesses there are, are facts about all executions, and are watched: a new value, a new transient, another access, or a read
 * as in 3 restarts the exploration.  F depends on live states, V and S only.
 *
 * Why.  Let G be an execution of P.  In each thread leave out all attempts: what the thread does from a read of L with an answer of F, in live state A, until
 * it is in A again, or, if it is not, all the rest.  L is changed by shifts only, so co of L is a chain of read-modify-writes.  A read of a write that is
 * gone reads from the nearest write below it that is not.  So its value is v instead of v + s, where s is the sum of what attempts of other threads have
 * shifted L by at that place of co.  Attempts of the thread itself add nothing: each lies wholly below the read in co, and sums up to zero.  By 3
 * every thread goes on as before, and what it shifts it shifts by the same number.  No read that is left is answered a value of F, or v + s would be one by the first
 * part of 3 (for shifts), or the attempt would have been left out (for loads, where nothing waits).  The new graph is consistent in every model:
 *   - events are gone, so po and co shrink.  A read r of W, which is gone, and now of u: u, and all from u to W, are a chain of rf and read-modify-writes;
 *   - po | rf:  u -> r was a path of that relation;
 *   - hb:  W is in the release sequences that u is in, so r learned what it learns now;
 *   - fr:  what is above u in co and still there was above W.  Hence eco, psc and, for sc and tso, the orders of all accesses, shrink.  An access of a
 *     chain is a locked instruction under tso, which orders u before r whatever the threads are;
 *   - read-modify-writes remain next to what they read.
 * Its results are those of G.  It has less happens-before, and so at least the races between the accesses that are left; races of
 * accesses of attempts are accounted for (omitted_races.h): all of them are to L.  What threads read plainly is the same, or one of these reads races in the new graph.
 *
 * Threads that wait forever.  If a thread of G waits forever in an attempt, it is in the loop of 2, and its reads are answered the value f that L has at the end.
 * No other thread has a transient then, by 2.  In the new graph L is f at the end, and f is in F, so that the thread waits at o.  Conversely a thread that waits at o
 * with the value f never ends in P, if it alone goes on, since it comes back with every answer.  That two threads may let each other fail without end is not reported.
 * Such errors are looked for again without this reduction, so that reports show what threads do.
 *
 * Why it is enough to look at graphs that are explored.  An event is bad if it is a new value, has a new transient, or refutes 1 or 3.  Take an execution with a bad event whose past has no
 * other.  In that past, leave out all attempts: the rest is explored, and there the thread is about to perform the same operation, in the same live state.  What
 * waits is a program (docs/algorithms/reductions.md, Lemma 1), to which the other reductions are applied.  A read that one of these knows to fail without performing it was
 * performed once with that answer, in that live state, without plain accesses; a read of L is not foreseen to be stale without being performed.
 *
 * Not used: where redundant iterations may be kept (omitted_races.h), and where executions are bounded.
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

/* What was tried in this pass, by live state and operation. */
struct lp_shifts_tried {
	const struct lp_undone_pairs *pairs; /* that are known in any pass; NULL: attempts are kept */
	struct lp_seen prepared; /* F is known */
	struct lp_seen fails;    /* with an answer: 1, it is in F; 0, it is not */
	struct lp_seen same;     /* with two answers: condition 3 holds, and no memory was accessed */
	struct lp_seen passed;   /* by uid of a read: condition 3 holds for its answer */
};

void lp_shifts_close(struct lp_shifts_tried *);

/* Are attempts left out at any location? */
static inline bool lp_shifts_any(const struct lp_shifts_tried *t)
{
	return lp_undone_pairs_any(t->pairs);
}

/* Is the location one where attempts are left out? */
bool lp_shifts_watch(const struct lp_explorer *, uint32_t loc);

/* The thread of the top frame is about to perform the operation, which reads, in that live state: finds out with which answers
 * it only comes back. */
void lp_shifts_prepare(struct lp_explorer *, lp_tid, uint32_t op, uint32_t live);

/* The same for all reads of the top frame, which was begun in another process, and for those that are to be added. */
void lp_shifts_learn(struct lp_explorer *);

/* Does the read, which has its answer and is perhaps not in the graph yet, wait instead? */
bool lp_shifts_waits(const struct lp_explorer *, const struct lp_event *read, uint32_t live);

/* Condition 3, for the operations that were completed last in the top frame. */
void lp_shifts_completed(struct lp_explorer *);

/* Looks at an event of the top frame that is explored: it may refute condition 1. */
void lp_shifts_note(const struct lp_explorer *, lp_eid);

/* Does a thread of the top frame wait because of this? */
bool lp_shifts_are_awaited(const struct lp_explorer *);

#endif
