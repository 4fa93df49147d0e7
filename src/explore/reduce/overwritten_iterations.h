/* overwritten_iterations.h -- iterations whose only writes are overwritten later.
 *
 *     node = &pool[fetch_add(&next, 1)];
 *     do {
 *         first = load(&top);
 *         node->next = first;
 *     } while (!cas(&top, first, node));
 *
 * A failed iteration leaves the thread in the live state in which the iteration began, and changes
 * only some bytes of memory.  Suppose that the thread then overwrites all of these bytes, and before that
 * neither reads one of them nor does anything that other threads can see.  Then the thread is where it would
 * be without the failed iteration.  This is known only when the last byte has been overwritten.  It
 * follows from what the thread has done, not from guesses about what it could do.
 *
 * Claim: the iteration may be left out.  The thread is stuck when the last byte is overwritten.
 *
 * Let I be the iteration, of thread t, from event i to event j, both in the same live state.
 *   1  The events of I are reads, failed RMWs, fences, choices of numbers, beginnings of calls, stores in a
 *      loop, and pairs of RMWs of which the second takes back the first (undone.h).  After I, until the last byte
 *      is overwritten, there are only reads, failed RMWs, fences, choices of numbers, beginnings of calls, and
 *      writes to t's own memory (own.h).
 *   2  Every byte that I wrote is written again by t after I, and t has not read the byte in between.  If I wrote the byte
 *      plainly, it is written again plainly; if I wrote it by a store, it is written again by a store.
 *   3  I neither allocates nor frees memory.  This is known because live states count allocations and frees.
 *   4  For every location that I stored to, and for every read r of this location by another thread, in every execution:
 *      every store of t to the location happens before the event that precedes r in the thread of r; or r
 *      happens before t begins.
 * 1 to 3 depend only on the past of t.  4 is about all executions, and is watched: if it turns out to be false at a
 * location where it was used, the exploration restarts and no longer leaves out iterations with stores.  It does not
 * matter which thread owns the memory, nor which visible writes t made before I.
 *
 * No other thread reads a store s of I.  Suppose that one does; let r be the first such read in an
 * execution E, and s' the store of t that overwrites s.  First case: s' depends on r by po and rf.  E up to
 * s' is explored, since t is not stuck before s', and contains s and r.  In this graph s does not happen before the
 * event before r: otherwise s' would also happen before that event, by 1, and r could not read s.  So 4 is seen to be
 * false.  Second case: s' does not depend on r.  E without I, up to s' and r, is explored; r reads another
 * write there.  In that graph s' does not happen before the event before r, since otherwise r could not have read s in E.
 * So again 4 is seen to be false.  But r may belong to an attempt that is not performed because it can only fail (stale.h).  Then all that matters is
 * that the attempt also fails if r reads s.  This is ensured: the location counts as one to which any of its values is stored again and again
 * (answers.h), so s is among the answers with which the attempt is tried.
 *
 * No other thread reads what I wrote plainly.  Let w be a plain write of I, o the write that overwrites w, and
 * a an access of another thread to the same byte.  Between w and o, t does nothing from which another
 * thread could learn of w and not of o: no other thread reads the stores of I.  And if an event of another thread reads a write to t's own memory,
 * this event depends, by po and rf, on a later visible write of t.  So if w happens before a, then o happens before a, too, or a and o race in E
 * without I.
 *
 * Pairs of RMWs.  A thread that reads from a pair of I may learn of s, or of w, but not of s' or o.  By undone.h, in E without the pair this read
 * has another rf, and its thread goes on in the same way and learns no more.  So the second case is as before.  In the first case, take the past of
 * r, but with t only up to s, and without the pairs of I after s.  (Nothing else that t does after s is in the past of r: s' depends on r, and other
 * threads see nothing of t between I and s'.)  This graph is explored, since t is not stuck before s'.  In it s does not happen before the event
 * before r, so 4 is seen to be false.  For w the argument is similar.  Let w happen before a only because of pairs after w, and let a and o not
 * race.  Then a does not depend on o, and the past of a, with t only up to w and without these pairs, is explored.  In it a and w race.
 *
 * Therefore all threads do the same in E without I, with the same results.  E without I is
 * consistent: without these reads, fences, and writes that no event reads, every relation that a
 * model requires to be acyclic or irreflexive has fewer edges.  Happens-before loses only pairs with
 * events of I.  Except for 4, whether a thread is stuck depends only on its own past.  So the
 * exploration is that of the program in which threads stop where they are stuck, and it is complete
 * for this program.
 *
 * Races, and uses of freed memory.  Let an access a race with a plain write w of I in E, and leave all other redundant iterations
 * out of E.  Neither a nor w happens before the other, so o does not happen before a.  If a does not
 * happen before o either, a and o race in E without I.  If a happens before o, E up to o is explored, because t
 * is not stuck before o, and this graph contains both a and w.  omitted_races.h deals with races of the
 * reads of I, and with races between its stores and plain accesses.
 */
#ifndef LP_EXPLORE_REDUCE_OVERWRITTEN_ITERATIONS_H
#define LP_EXPLORE_REDUCE_OVERWRITTEN_ITERATIONS_H

#include "explore/graph/frame.h"

/* The thread is about to perform `op`.  Was an iteration of the thread redundant, because everything
 * that the iteration wrote is now overwritten, and can it be left out?  If so, marks the thread's last event, as
 * lp_explorer_goes_round() does. */
bool lp_overwritten_retries(struct lp_explorer *, lp_tid, const struct lp_op *op);

/* To be called for each event of the top frame that is explored.  Records whether the event shows that 4 is false at its location. */
void lp_overwritten_note(struct lp_explorer *, lp_eid);

/* Is the event a write to its thread's own memory? */
bool lp_overwritten_is_own_write(const struct lp_explorer *, const struct lp_event *);

#endif
