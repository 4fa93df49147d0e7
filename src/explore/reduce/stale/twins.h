/* twins.h -- compare-and-swaps that succeed with another write of the value that was expected.
 *
 *     do {
 *         first = load(&top);                       a
 *         node->next = first;
 *     } while (!cas(&top, first, node));            b
 *
 * a reads from w; b succeeds, but reads from v, which was written later and has the same value.  Such an execution, E,
 * has a twin, E', in which a reads from v as well.  For the all-clients check E' speaks for E:
 *
 * Let a be a load, and b a read-modify-write of the same location, of one thread T.
 *   1  a has returned the value that b returns, from another write.
 *   2  In between T only reads: locations to which at most one public write is ever made (answers.h), and these reads
 *      read from the last one; none of them is seq_cst, unless the model is sc.
 *   3  Plainly T writes only memory of its own (own.h).
 *   4  b acquires if a does, and is seq_cst if a is; or v releases nothing to a that T does not know.
 * So where b would succeed like that T is stuck instead, as by an assumption, until something else is written.
 *
 * In E' all threads do the same with the same results.  It is consistent: what happens before b in E may happen before
 * the events between a and b in E', and nothing else is new.  By 2 these events overwrite nothing and miss nothing, so that a
 * cycle through them is one through b, in E.  Happens-before between calls is the same.  The twin of a twin comes later in
 * co, so that this comes to an end.
 *
 * Races with what T reads between a and b may be lost, as more happens before it.  So that is recorded, like the
 * accesses of an iteration that is left out (omitted_races.h), when T comes to b.
 */
#ifndef LP_EXPLORE_REDUCE_TWINS_H
#define LP_EXPLORE_REDUCE_TWINS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"

struct lp_event;
struct lp_explorer;

/* The read, not yet in the graph, is that of an RMW: if it may have twins, 1 + the index of a; otherwise 0. */
uint32_t lp_twins_prepare(struct lp_explorer *, const struct lp_event *read);

/* Is the read, whose rf is that of b above, one that is left out?  `twin` is 1 + the index of a. */
bool lp_is_twin(struct lp_explorer *, const struct lp_event *read, uint32_t twin);

/* Would the event, the read of an RMW that has perhaps failed, be one with any other write of that value? */
bool lp_would_be_twin(struct lp_explorer *, const struct lp_event *read, uint32_t twin, struct lp_value);

#endif
