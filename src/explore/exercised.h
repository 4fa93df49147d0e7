/* exercised.h -- what the atomic operations of a program have been seen to do.
 *
 * An acquire is exercised if it adds order in some execution.  That is, it reads from a release sequence, and it gains
 * an event of another thread: the event happens before the release, and did not already happen before the acquire.
 * The matching release is then exercised, too.  A fence is exercised through the reads before it or the writes after it.
 *
 * Every accepted event is examined, including those in prefixes of executions, since each prefix belongs to
 * some execution.  An operation that a reduction leaves out, or turns into a weaker one, counts as exercised
 * (helping.h, redundant_stores.h, silent_rmw.h).  So an operation that is reported as not exercised is not
 * exercised in any execution.
 */
#ifndef LP_EXPLORE_EXERCISED_H
#define LP_EXPLORE_EXERCISED_H

#include "graph/graph.h"

struct lp_explorer;

/* Examines an event that was just accepted.  Does nothing unless callbacks.exercised is set. */
void lp_exercised_note(struct lp_explorer *, lp_eid);

/* A reduction left out the event's operation, an RMW or a store.  Had it been performed, another thread could
 * have acquired from it. */
void lp_exercised_left_out(struct lp_explorer *, lp_eid);
/* A reduction left out an operation, and another thread performs the compare-exchange at `pc` in its place.  Had the
 * operation been performed, that compare-exchange could have failed. */
void lp_exercised_helped(struct lp_explorer *, uintptr_t pc);

#endif
