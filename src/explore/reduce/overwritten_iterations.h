/* overwritten_iterations.h -- iterations that leave a trace only where it is overwritten.
 *
 *     node = &pool[fetch_add(&next, 1)];
 *     do {
 *         first = load(&top);
 *         node->next = first;
 *     } while (!cas(&top, first, node));
 *
 * A failed iteration leaves the thread in the live state in which the iteration began, but for
 * some bytes of memory.  If the thread then overwrites all of them before it reads one, and
 * before it does anything that others can see, it is where it would be without that iteration.
 * That is known one step late, when the last byte is overwritten, and from what has happened:
 * nothing is guessed about other ways on.
 *
 * Claim: the iteration may be left out.  The thread is stuck when the last byte is overwritten.
 *
 * Let I be the iteration, of thread t, from event i to event j, both in the same live state.
 *   1  The events of I are reads, failed RMWs, fences, choices of numbers, and stores that are on a loop.
 *      After I, until the last byte is overwritten, there are only reads, failed RMWs, fences, choices
 *      of numbers, and writes to t's own memory (own.h).
 *   2  Every byte that I wrote, plainly or by a store, is then written again by t, in the same
 *      way (plainly or by a store), and t has not read it in between.
 *   3  I neither allocates nor frees memory: live states count that.
 *   4  For every location that I stored to, in every execution: if another thread reads it, by r,
 *      every store of t to it happens before the event that precedes r in its thread; or r
 *      happens before t begins.
 * 1 to 3 depend on the past of t only.  4 is about all executions.  It is watched: if it turns
 * out to be false at a location where it was used, the exploration restarts and no longer leaves out
 * iterations with stores.  It does not matter which thread owns the memory, nor which visible writes t made before I.
 *
 * No other thread reads a store s of I.  Let r, in an execution E, be the first event to do so, and s' the
 * store of t that overwrites s.  If s' depends (po, rf) on r, E up to s' is explored, since t is
 * not stuck before s', and s and r are seen in it: 4 is false, as s does not happen before the
 * event before r, or there would be no choice but to come after s', too, by 1.  If it does not,
 * E without I, up to s' and r, is explored, where r reads something else: s' does not happen before
 * the event before r, or r could not have read s in E.  Either way 4 is seen to be false.
 *
 * No other thread reads what I wrote plainly.  Let w be such a write, o the one that overwrites it, and a
 * an access of another thread to the same byte.  Between w and o, t does nothing from which another
 * thread could learn of w and not of o: stores of I are not read; a write to t's own memory is
 * read only by events that depend (po, rf) on a later, visible write of t.  So if w happens before
 * a, either o does, too, or a and o race in E without I.
 *
 * Therefore all threads do the same in E without I, with the same results.  It is consistent: to
 * take out reads, fences, and writes that are not read takes edges out of every relation that a
 * model wants to be acyclic or irreflexive.  Happens-before loses pairs with I only.  Whether a
 * thread is stuck depends on its own past only (but for 4), so the exploration is that of a
 * program that stops there, and is complete for it.
 *
 * Races, and uses of freed memory.  Let a race with w in E, and take all other redundant iterations
 * out of E.  a does not happen before w, nor w before a, so o does not happen before a.  If a
 * does not happen before o, they race in E without I.  If it does, then E, up to o, is explored,
 * and both a and w are in it: t is not stuck before o.  Races with what I read are
 * the subject of omitted_races.h, and so are those of its stores with plain accesses.
 */
#ifndef LP_EXPLORE_REDUCE_OVERWRITTEN_ITERATIONS_H
#define LP_EXPLORE_REDUCE_OVERWRITTEN_ITERATIONS_H

#include "explore/graph/frame.h"

/* Was an iteration of the thread, which is about to perform `op`, redundant, because all
 * that it left is now overwritten?  The thread's last event is marked, as by
 * lp_explorer_goes_round(). */
bool lp_overwritten_retries(struct lp_explorer *, lp_tid, const struct lp_op *op);

/* Takes notice of an event of the top frame, which is explored: 4 may be false at its location. */
void lp_overwritten_note(struct lp_explorer *, lp_eid);

/* Is the event a write to memory of its thread's own? */
bool lp_overwritten_is_own_write(const struct lp_explorer *, const struct lp_event *);

#endif
