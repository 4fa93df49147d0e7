/* overwritten_iterations.h -- iterations whose only writes are overwritten later.
 *
 *     node = &pool[fetch_add(&next, 1)];
 *     do {
 *         first = load(&top);
 *         node->next = first;
 *     } while (!cas(&top, first, node));
 *
 * A failed iteration leaves the thread in the live state in which the iteration began, and changes
 * only some bytes of memory.  If the thread then overwrites all of these bytes, and before that
 * neither reads one of them nor does anything that other threads can see, then it is where it would
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
 *   2  Every byte that I wrote, plainly or by a store, is then written again by t, in the same
 *      way (plainly or by a store), and t has not read it in between.
 *   3  I neither allocates nor frees memory: live states count allocations and frees.
 *   4  For every location that I stored to, in every execution: if another thread reads it, by r,
 *      every store of t to it happens before the event that precedes r in its thread; or r
 *      happens before t begins.
 * 1 to 3 depend only on the past of t. 4 is about all executions, and is watched: if it turns out to be false at a
 * location where it was used, the exploration restarts and no longer leaves out iterations with stores.  It does not
 * matter which thread owns the memory, nor which visible writes t made before I.
 *
 * No other thread reads a store s of I.  Suppose that one does; let r be the first such read in an
 * execution E, and s' the store of t that overwrites s.  First case: s' depends on r by po and rf.  E up to
 * s' is explored, since t is not stuck before s', and contains s and r.  There s does not happen before the
 * event before r: otherwise s' would do so as well, by 1, and r could not read s.  So 4 is seen to be
 * false.  Second case: s' does not depend on r.  E without I, up to s' and r, is explored; r reads another
 * write there.  s' does not happen before the event before r, since otherwise r could not have read s in E.
 * So again 4 is seen to be false.  But r may belong to an attempt that is not performed because it can only fail (stale.h).  Then all that matters is
 * that it also fails if it reads s.  So the location counts as one to which any of its values is stored again and again (answers.h), and s is
 * among the answers with which the attempt is tried.
 *
 * No other thread reads what I wrote plainly.  Let w be such a write, o the write that overwrites it, and
 * a an access of another thread to the same byte.  Between w and o, t does nothing from which another
 * thread could learn of w and not of o: no thread reads the stores of I; and only events that depend, by
 * po and rf, on a later visible write of t read a write to t's own memory.  So if w happens before a, then
 * o happens before a, too, or a and o race in E without I.
 *
 * Pairs of RMWs.  A thread that reads from a pair of I may learn of s, or of w, but not of s' or o.  By undone.h, in E without the pair this read has another
 * rf, and its thread goes on alike and learns no more.  So the second case is as before.  In the first case, take the past of r with t only up to s, and
 * without the pairs of I after s.  (Nothing else that t does after s is in the past of r: s' depends on r, and other threads see nothing of t
 * between I and s'.)  This is explored, since t is not stuck before s'. There s does not happen before the event before r, so 4 is seen to be false.  For w
 * the argument is similar.  Let w happen before a only because of pairs after w, and let a and o not race.  Then a does not depend on o, and the past of a with
 * t only up to w, and without these pairs, is explored.  There a and w race.
 *
 * Therefore all threads do the same in E without I, with the same results.  E without I is
 * consistent: without these reads, fences, and writes that no event reads, every relation that a
 * model requires to be acyclic or irreflexive has fewer edges.  Happens-before loses only pairs with
 * events of I.  Except for 4, it depends only on a thread's own past whether it is stuck.  So the
 * exploration is that of the program in which threads stop where they are stuck, and it is complete
 * for this program.
 *
 * Races, and uses of freed memory.  Let a race with w in E, and leave all other redundant iterations
 * out of E.  Neither a nor w happens before the other, so o does not happen before a.  If a does not
 * happen before o either, a and o race in E without I.  Otherwise E up to o is explored, because t
 * is not stuck before o, and it contains both a and w.  omitted_races.h deals with races of the
 * reads of I, and of its stores with plain accesses.
 */
#ifndef LP_EXPLORE_REDUCE_OVERWRITTEN_ITERATIONS_H
#define LP_EXPLORE_REDUCE_OVERWRITTEN_ITERATIONS_H

#include "explore/graph/frame.h"

/* The thread is about to perform `op`.  Was an iteration of the thread redundant, because everything
 * that the iteration wrote is now overwritten?  If so, marks the thread's last event, as
 * lp_explorer_goes_round() does. */
bool lp_overwritten_retries(struct lp_explorer *, lp_tid, const struct lp_op *op);

/* Checks an event of the top frame that is explored: it may show that 4 is false at its location. */
void lp_overwritten_note(struct lp_explorer *, lp_eid);

/* Is the event a write to its thread's own memory? */
bool lp_overwritten_is_own_write(const struct lp_explorer *, const struct lp_event *);

#endif
