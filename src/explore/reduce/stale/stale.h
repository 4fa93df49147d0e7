/* stale.h -- abandons graphs in which a thread's attempt relies on an outdated read, so that the attempt can
 * only fail.
 *
 *     for (;;) {
 *         first = load(&head);                      r
 *         last = load(&tail);                       u
 *         next = load(&first->next);
 *         ...
 *         if (cas(&head, first, next))              c
 *             return;
 *     }
 *
 * A thread T has made a redundant iteration (grow.h), and is stuck until one of its reads is revisited.  Suppose that the
 * value of `head` which r has read was already out of date, so that c failed.  Then r will never be revisited.  Only reads
 * after r, such as u, can still get another answer, and c fails again with each of these answers.  So no complete execution
 * extends the graph.
 *
 * Claim: the graph may be abandoned if
 *   1  a read r of the iteration is frozen.  This means that r has failed spuriously, or that some write v is above rf(r) in co, and either v was
 *      added before r, or v is in the past of a write that was added after one of its own readers.  In each case r is not maximal (revisit.h);
 *   2  with all answers that the reads of T after r may still get, T comes back to the place where the iteration began, in the same live state.
 *      On the way T only reads, and reads no memory that may be uninitialised, or that is freed in the graph.  T reads plainly only what it
 *      has read plainly in this iteration.  If T reads memory that another thread has allocated, the event that made this memory public
 *      (own.h) happens before the read;
 *   3  if the iteration has written to memory (overwritten_iterations.h), it has written to T's own memory, and after T's
 *      next operation, with any answer, T overwrites these bytes: by plain writes if the iteration has written them plainly, and by a store if it has
 *      stored them.
 * Besides reads, the iteration may contain fences, and stores to T's own memory.  The ways back of 2 may contain fences, but no stores.
 *
 * 1.  Let F consist of the events that were added up to r, and of the past of each write that was added after one of its readers.  F is in every
 * graph that the exploration makes from this one.  To see this, consider a revisit of an event of F by a write w.  The revisit removes, or changes,
 * every event that was added later than the revisited event and does not lead to w.  It is made only if these events were added maximally.  A write
 * that was added after one of its readers was not added maximally, so it is never removed.  The read r was not added maximally either, and this does
 * not change.  And r does not lead to w: T is stuck, and by 2 T does not write later.  So no such revisit is made.
 *
 * 2.  Which answers are possible?  Let u be the first read of T after r that has another rf in a later graph.  In that graph u was
 * revisited, and reads from a write that is not in F.  (If another thread has a read that was added between r and u and is
 * not in F, the graph is kept.)  Later reads of T are performed again, and may read everything that the model allows.  So:
 *   - u, and later reads, may read every value that was ever written to the location (answers.h);
 *   - but u may not read a value that was written in F and does not come back.  A later read may not read such a value if the value
 *     is overwritten by a write in F that happens before the read, or that T has read before.  A value does not come back if
 *     no value is written twice to the location, or if the value has been taken off a stack (see below);
 *   - and an RMW cannot succeed with a value that another RMW already reads, if that RMW stays in the graph.  This does not hold for silent
 *     RMWs (silent_rmw.h), which are reads.  (An RMW that reads from the same write as another RMW is added only to make its revisits.  It could
 *     revisit the other RMW, if all events that depend on the other RMW were added maximally);
 *   - if the location has at most one write other than RMWs, and this write is in F, u and later reads may only read values that some RMW writes.
 * A later read has in its past the events that happen before u.  If all public writes (answers.h) to the location of u are RMWs, and u reads from a
 * write in F in this graph, the later read also has in its past what u has acquired here: in the later graph u reads from a later write, which is in
 * the same release sequences.  On the way, T must not come to a live state in which it has been on this way before, because it might stay in such a
 * loop forever.
 *
 * Stacks.  We say that a value lies on the value that it replaced when it was first written.  Below a value x are the value on which x lies, the
 * value on which that value lies, and so on, down to the initial value.  The values behave as on a stack if each write is a push or a pop.  A push
 * writes a value that was not there before.  A pop writes a value that is below the value that it replaces (perhaps several places below), or it
 * writes the replaced value again.  All public writes are RMWs, so the writes of F come first in co in every graph that is made from this one.  Let S
 * be the set of the value that F wrote last, and all values below it.  Claim: each write after F in co writes a value in S, or a value that F did not
 * write.  So a value of F that is not in S does not come back.  The claim follows by induction along co.  A push writes a value that F did not write.
 * A pop replaces a value that is in S or that F did not write.  The values below the replaced value are of the same two sorts, because S contains all
 * values below its values, and because a value that F did not write was put on a value that was there after F.
 *
 * Fences and stores.  The iteration may contain fences, and a store as in 3.  These have no answer, so u is never one of them.  A
 * fence is always maximal, and no other thread can read the store, so neither leads to another graph.  What a fence before u has
 * acquired comes from reads that are unchanged, so it counts as known; what later fences acquire does not count.
 *
 * Like threads (symmetry.h).  A higher thread that is like T may come to depend on r because of symmetry alone.  Then its writes can revisit events
 * of F while r stays in the graph.  If followers.h does not exclude this, F has only the past of r, and the past of writes that were added after one
 * of their readers; and u is performed again, as later reads are.  T must fail in such a graph, too.  Let w be the first write that has revisited an
 * event of F, with r in its past.  If only RMWs are ever above rf(r) in co, T does not swap rf(r), that is, T does not replace it by an RMW.  The
 * reason is that another RMW reads from rf(r), and stays in the graph, because it is in the past of w, or is the RMW of w.
 *   To show this, call a read q a *counterpart* of r if the thread of q is like T, this thread has done the same as T before q, and q reads from
 * rf(r), or from a write above rf(r) in co.  Claim: if a counterpart q of r (perhaps r itself) is in the past of a write y, then y has in its past
 * an RMW that reads from rf(r), or y is the write of such an RMW.  We use induction on the size of the past of y.  Take the first write on a path
 * from q to y.  If this write is not y, it has a smaller past, and the claim follows.  If it is y, the path goes along po and from like thread to
 * like thread.  Let V be the thread of y, and g the read of V that corresponds to r.  V has done the same as T before g, and in the canonical order
 * (symmetry.h) g comes after q.  So g is a counterpart, or a counterpart is in the past of rf(g) (symmetry.c: height()), which is a write with a
 * smaller past.  (If r has failed spuriously, g may succeed where r has failed: then y is the write of this swap.)  If g reads from a write above
 * rf(r), this write belongs to an RMW; that RMW reads from the next write below, and so on, and the last of these RMWs reads from rf(r).  If g reads
 * from rf(r), V goes on like T, and by 2 T writes nothing unless it swaps rf(r).  So y is the write of this swap.  None of these RMWs belongs to T,
 * which has not written anything before w.
 *
 * A thread can also be stuck because a read b makes the read a before it redundant (redundant_rereads.h).  If a is frozen,
 * and b can only get the answer that it has in this graph, the graph is abandoned, too.
 *
 * Stale attempts that are foreseen.  Often it is known that the attempt will fail as soon as r, or a later read of the iteration,
 * is added.  Let e be the last event of T, a read that was just added and is not performed yet, and A a stretch of T's events up to
 * e in which T has only read, and performed fences.  The graph may be abandoned if
 *   4  a read r of A, perhaps e, is frozen as in 1;
 *   5  with all answers to the reads of T after e, T comes back to a live state in which it was before some event of A, and
 *      this event is r or comes before r; at e and on the way T only reads, as in 2;
 *   6  if e is not r: T also comes back in this way with all answers that the reads of A after r, e included,
 *      may still get, as in 2.
 * By 4 and 6, in the graphs that are made from this one, either all events of T up to e are unchanged, or T comes back as in 2.  The reads of 5 are
 * not in the graph, so each of them may read everything that the model then allows, like the later reads of 2.  When T has come back, its last
 * iteration is redundant and contains r, so T is stuck there.  So no complete execution extends the graph, and the alternatives of reads after e
 * need not be tried.  Two sorts of accesses are recorded like those of an iteration that is left out: the accesses of A since T was at the place to
 * which it would come back, and the accesses that T would make on the way.
 *
 * The explorer tries how T goes on, and remembers the result.  The result depends on the live state, on the answer, on the bytes that T reads
 * plainly, and on whether the memory that T then accesses is alive.  The bytes have not changed, since otherwise the reads of the iteration would
 * race (omitted_races.h).  Whether memory is alive is checked in each graph, because T may be in the same live state before and after a free.  A
 * free that is not in the graph does not happen before the access, unless T learns of it on the way.  When accesses are recorded (omitted_races.h), T
 * counts as knowing only what it certainly learns.
 *
 * The facts used here are about all executions, and are watched.  If a fact is false, consider a first graph that shows
 * this.  No graph on the way to this graph is left out, because the threads whose events show that the fact is false do not depend on T's
 * iteration.
 *
 * Threads that spin forever.  Suppose that T spins at the end of an execution, and r is out of date but has read the value
 * that the location has at the end.  This execution counts as one in which T spins forever (grow.h).  With this reduction it is left out, but
 * the execution in which r reads the last write is visited.
 *
 * Errors.  Errors of other threads are found in graphs in which T has not made the iteration.  The accesses that T would have
 * made are recorded like those of an iteration that is left out (omitted_races.h), with a clock of events that certainly happen
 * before them.  Accesses that another thread made to memory while this memory was its own are not recorded there; by 2 they happen before T's
 * accesses.
 */
#ifndef LP_EXPLORE_REDUCE_STALE_H
#define LP_EXPLORE_REDUCE_STALE_H

#include <stdbool.h>
#include <stdint.h>

struct lp_explorer;

/* To be called when the thread is stuck because its last iteration is redundant, or because its last read makes the read before it
 * redundant.  Is the iteration, or the pair of reads, stale, so that the graph can be abandoned?  For an iteration, the machine must be in the state
 * that the graph describes (lp_catch_up()), and is in this state again afterwards. */
bool lp_is_stale(struct lp_explorer *, uint32_t thread);

/* The read was just added, and is not performed yet.  Is it foreseen, by 4 to 6, that the attempt fails, so that the graph can be
 * abandoned? */
bool lp_stale_is_foreseen(struct lp_explorer *, uint32_t event);

#endif
