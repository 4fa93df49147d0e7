/* twins.h -- compare-and-swaps that succeed with another write of the value that was expected.
 *
 *     do {
 *         first = load(&top);                       a
 *         node->next = first;
 *     } while (!cas(&top, first, node));            b
 *
 * a reads from w; b succeeds, but reads from v, which was written later and has the same value.  Such an execution E
 * has a twin E', in which a reads from v, too.  Claim: for the check of all clients it is enough to explore E' if the following holds.
 *
 * Let a be a load, and b a read-modify-write of the same location, of one thread T.
 *   1  a has returned the same value as b, but reads from another write than b.
 *   2  Between a and b, T performs only reads.  They are of locations to which at most one public write is ever made (answers.h),
 *      and read from the last write to the location; in models other than sc, none of these reads is seq_cst.
 *   3  Between a and b, T writes plainly only to its own memory (own.h) and to its own stack.  T may also allocate and free memory there.
 *   4  If a is seq_cst, so is b.  If a acquires, then b acquires, too, or T already knows after a all that v releases.
 * So where b would succeed by reading the value that a has read, but from another write, T is stuck instead, as if an assumption were false, until
 * another write is made.
 *
 * In E' all threads do the same with the same results.  E' is consistent: events that happen before b in E may happen before
 * the events between a and b in E', and no other order is new.  By 2 the events between a and b are not writes, and read from
 * the last write, so a cycle through them in E' would be a cycle through b in E.  Happens-before between calls is the same.  E' may
 * have a twin itself.  In each further twin a reads from a later write in co, so this ends.
 *
 * Races, and uses of freed memory.  Only what T does between a and b has a larger past in E': it also comes after what b learns from v.  So let an
 * access or a free f of T between a and b race with e in E, but not in E'.  Then e happens before v or is v.  Consider the graph when b is to read
 * from v, or when v is added and revisits b.  It contains v and its past, and T with f, where a reads from w.  None of these events depends on b, so
 * the race is found there.  This also holds if f frees memory, whether e is an access or another free, and if f is an access to T's stack.  (Freed
 * memory is not allocated again, because the reduction is off with --reuse.)  But e may be part of an iteration that is left out.  For this case, a
 * free by T is recorded (omitted_races.h) wherever it is made, so it is also recorded with T's past in E, which is smaller.  The reads of T are
 * recorded when T comes to b, like the accesses of an iteration that is left out.
 */
#ifndef LP_EXPLORE_REDUCE_TWINS_H
#define LP_EXPLORE_REDUCE_TWINS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"

struct lp_event;
struct lp_explorer;

/* `read` is the read b of an RMW; this read is not in the graph yet.  Returns 1 + the index of the load a that may form a pair with b as above
 * (lp_is_twin() decides this), or 0 if there is none. */
uint32_t lp_twins_prepare(struct lp_explorer *, const struct lp_event *read);

/* Must the read b, whose rf is set, be left out, because it reads the same value as a, but from another write?  `twin` is 1 + the index of a. */
bool lp_is_twin(struct lp_explorer *, const struct lp_event *read, uint32_t twin);

/* Would lp_is_twin() be true for each write of this value as the rf of the read, except the rf of the load?  Returns false if `twin` is 0.  The read
 * belongs to an RMW, which may have failed. */
bool lp_would_be_twin(struct lp_explorer *, const struct lp_event *read, uint32_t twin, struct lp_value);

#endif
