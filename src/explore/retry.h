/* retry.h -- iterations that leave a trace only where it is overwritten.
 *
 *     do {
 *         first = load(&top);
 *         node->next = first;             // nobody else can know of node yet
 *     } while (!cas(&top, first, node));
 *
 * Of an iteration that has failed a thread is left in the live state in which it began,
 * but for some bytes of memory of its own (own.h).  If it then overwrites all of them
 * before it reads one, and before it does anything that others can see, it is where
 * it would be without that iteration.  That is known one step late, when the last byte
 * is overwritten, and by what has happened: nothing is guessed about other ways on.
 *
 * Why it may be left out: let G be an execution with such an iteration I.  Without the
 * events of I the thread does the same, since it depends on nothing that I has left.
 * Nobody else has read what I wrote: when others come to know of the memory, it has been
 * overwritten, by a write later in po and so in co and in happens-before.  And to take
 * out reads, fences, and writes that nobody reads, takes edges out of every relation that a
 * model wants to be acyclic or irreflexive: G without I is consistent, and its results are
 * those of G.  Whether a thread is stuck for that reason depends on its own past only, so
 * the exploration is that of a program which stops there, and is complete for it.
 */
#ifndef LP_EXPLORE_RETRY_H
#define LP_EXPLORE_RETRY_H

#include "explore/frame.h"

/* Was an iteration of the thread, which is about to perform `op`, redundant, because all
 * that it left is now overwritten?  The thread's last event is marked, as by
 * lp_goes_round(). */
bool lp_retries(struct lp_explorer *, lp_tid, const struct lp_op *op);

/* Is the event a write to memory of its thread's own? */
bool lp_is_own_write(const struct lp_explorer *, const struct lp_event *);

#endif
