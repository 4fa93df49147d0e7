/* stale.h -- attempts that rest on what is out of date.
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
 * A thread T has made a redundant iteration (grow.h), and is stuck until one of its reads is revisited.  Say that r has
 * read a value of `head` that was out of date already, so that c failed.  Then r will never be revisited: only the reads
 * after it, u, can still get another answer, and whatever that is, c fails again.  No complete execution extends the graph.
 *
 * Claim: the graph may be abandoned if
 *   1  a read r of the iteration is frozen: rf(r) is overwritten, in co, by a write that was added before r, or by one
 *      in the past of a write that was added after an event which reads from it;
 *   2  whatever may still be answered to the reads of T after r, T comes back to where the iteration began, in the
 *      same live state; on the way it only reads, nothing that may be uninitialised, and plainly only what it has read plainly
 *      in this iteration; memory that another thread has allocated only after what made it public (own.h); and none that is freed in the graph;
 *   3  if the iteration has left something in memory (overwritten_iterations.h), that is in T's own memory, and T
 *      overwrites it after its next operation, whatever that is answered, and in the same manner: plainly, or by a store.
 * Fences, and stores to T's own memory, may be in between; where the ways of 2 are tried, only fences.
 *
 * 1. Let F be the events that were added up to r, and the past of writes that were added after an event which reads from them.  F
 * is in every graph that is made of this one.  A revisit of an event of F takes out, or changes, everything that was added later
 * and does not lead to the revisiting write w, and it does so only to events that were added maximally (revisit.h).  A write that
 * was added after one of its readers was not added maximally, and is never taken out.  Nor was r, and that does not change; and r
 * does not lead to w, since T is stuck, unless T writes after all, which 2 excludes.
 *
 * 2. What may be answered.  Let u be the first read of T after r that is another one in such a graph.  It was revisited, and
 * reads from a write that is not in F; unless another thread has a read between r and u that is not in F: then the graph is
 * kept.  Later reads of T are performed again, and may read whatever the model allows.  So:
 *   - u, and later reads, may read every value that was ever written to the location (answers.h);
 *   - but not one that was written in F and does not come back: not u; and later reads not if that is
 *     overwritten by a write in F that happens before them, or that T has read before.  It does not come back if no value is
 *     written twice, or if it has been taken off a stack, see below;
 *   - nor can an RMW succeed with it if another one reads from it already, and will: an RMW in conflict is added for the
 *     sake of its revisits, and could revisit the other one, if all that depends on that was added maximally;
 *   - and not one that no RMW ever writes, if at most one other write is made to the location, and is in F.
 * What happens before a later read does so before u; and also what u has acquired, if all public writes to its
 * location are RMWs and u reads from F: what u reads instead comes after that, and so is in the same release
 * sequences.  T must not come to where it has been on the way: it might go round there forever.
 *
 * Stacks.  Say that a value is *on* the one that it replaced when it was first written.  Below it are that one, what that one is on,
 * and so on, down to the initial value.  Values come back as on top of a stack if each write is of a value that was not there
 * before (a push), or of the replaced value or one below it (a pop, perhaps of several).  All public writes are RMWs, so that those of F are the
 * first ones in co in every graph that is made of this one.  Let S have the value that F wrote last, and all below it.  Then each
 * write that follows F in co is of a value in S, or of one that is not in F; so a value of F that is not in S does not come back.  A push is of a value that is
 * not in F.  A pop replaces a value that is in S or not in F, and what is below that is, too: S has all that is below its own
 * values, and a value that is not in F was put on what was there after F.  (Induction along co.)
 *
 * Fences and stores.  The iteration may contain fences, and a store as in 3.  They are answered nothing, so that u is never one of
 * them.  A fence is always maximal, and no other thread can read the store: neither makes another graph possible.  What a fence
 * before u has acquired comes from reads that are unchanged, so it counts as known; what later ones acquire does not.
 *
 * Like threads (symmetry.h).  Where a higher thread that is like T may come to depend on r, for that reason alone, its
 * writes can revisit events of F, and r stays, unless that is excluded (followers.h).  Then F has only the past of r, and of writes that
 * were added after a reader; u is performed again like later reads.  T must fail in such a graph, too.  Let w be the first write that has revisited
 * an event of F, with r in its past.  If only RMWs are ever above rf(r) in co, T does not swap rf(r): another RMW reads from that, which is in the past
 * of w, or is that of w, and so stays.
 *   Say that a read q is a *counterpart* of r if its thread is like T, has done the same as T before, and q reads from rf(r), or from above that in
 * co.  Each write y with a counterpart q in its past, perhaps r, has an RMW in its past, or is that of one, which reads from rf(r).  We show that by induction on the
 * size of the past.  Take the first write on a path from q to y.  If that is not y, it has a smaller past, and all is shown.  Otherwise the path goes along po and from like thread to like thread.  Let V be the
 * thread of y, and g its read in the place of r.  V has done the same as T before, and g is in the canonical order behind q: so it is a counterpart, or there is one in the past of rf(g) (symmetry.c: height()), which is
 * a write with a smaller past.  If g reads from above rf(r), then from an RMW; that one reads from the next below, and so on, and the last one reads from rf(r).  If g reads from
 * rf(r), V goes on like T, which writes nothing by 2 unless it swaps rf(r): that is y.  And none of these RMWs is T's, which has not written anything before w.
 *
 * A thread that is stuck because of a redundant reread, of a by b (redundant_rereads.h), is treated alike.  If a is frozen,
 * and b can only get the answer that it has, the graph is abandoned, too.
 *
 * Foreseen.  Often all this is clear as soon as r, or a later read of the iteration, is added.  Let e be the last event of T, a
 * read that was just added and is not performed yet, and A a stretch of T's events up to e in which T has only read, and performed
 * fences.  The graph may be abandoned if
 *   4  a read r of A, perhaps e, is frozen as in 1;
 *   5  whatever is answered to the reads of T after e, T comes back to a live state in which it was before an event of A, r or
 *      one that precedes r; at e and on the way it only reads, as in 2;
 *   6  if e is not r: so it does whatever may still be answered to the reads of A after r, e included, as in 2.
 * By 4 and 6 all up to e is unchanged in the graphs that are made of this one, or T comes back as in 2.  The reads of 5 are not in
 * the graph, so each of them may read whatever the model allows then, as later reads of 2 may.  When T is back, its last iteration is redundant and contains r;
 * T is stuck there, in the same way as after an iteration that was made.  So the graph has no complete execution, and in addition the
 * alternatives of reads after e need not be tried.  What A has accessed since T was where it would come back to is recorded as for an iteration that is
 * left out, and so is what T would access.
 *
 * How T goes on is tried, and remembered: it depends on the live state, the answer, the bytes that are read
 * plainly, and on whether memory that T then accesses is alive.  The bytes have not changed, or the reads of the iteration would race (omitted_races.h).
 * What is alive is asked in each graph: T may be in the same live state before a free, and after it.  A free that is not in the graph does not happen
 * before the access, unless T learns of it on the way; in the account T knows only what it is known to learn.
 *
 * The facts are about all executions, and are watched.  If one is false, consider a first graph that shows it: nothing
 * that leads there is left out, since the threads that lead there do not depend on T's iteration.
 *
 * Threads that spin forever.  An execution in which T spins on what it has read last, and r is out of date but has the value
 * that is there at the end, is judged to be one that ends like that (grow.h).  It is left out here; the one in which r reads
 * the last write remains.
 *
 * Errors.  Those of other threads are met where T has not made the iteration.  What T would have accessed is recorded
 * like the accesses of an iteration that is left out (omitted_races.h), with what at least happens before it.  What another
 * thread did to memory while it was its own is not recorded there; by 2 it happens before T's accesses.
 */
#ifndef LP_EXPLORE_REDUCE_STALE_H
#define LP_EXPLORE_REDUCE_STALE_H

#include <stdbool.h>
#include <stdint.h>

struct lp_explorer;

/* The thread is stuck: its last iteration, or a reread, is redundant.  Is it stale?  The machine must have caught up, and has
 * done so again afterwards. */
bool lp_is_stale(struct lp_explorer *, uint32_t thread);

/* The event, a read, was just added, and is not performed yet: will it be part of a stale iteration? */
bool lp_stale_is_foreseen(struct lp_explorer *, uint32_t event);

#endif
