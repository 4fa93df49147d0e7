/* exercised.h -- what the atomic operations of a program have been seen to do.
 *
 * An acquire is exercised if it adds order in some execution: it reads from a release sequence, and some event happens
 * before the release that would not happen before the acquire without this synchronisation.  The matching release is then
 * exercised, too.  An acquire fence is exercised through a read before the fence, and a release fence through a write after it.
 *
 * Every event that the explorer accepts into a graph is examined, even if the graph is not complete yet, since each prefix
 * belongs to some execution.  An operation that a reduction leaves out, or turns into a weaker one, counts as exercised
 * (helping.h, redundant_stores.h, silent_rmw.h).  So if an operation is reported as not exercised, no execution
 * exercises it.
 */
#ifndef LP_EXPLORE_EXERCISED_H
#define LP_EXPLORE_EXERCISED_H

#include "graph/graph.h"

struct lp_explorer;

/* Examines an event that was just accepted.  Does nothing unless callbacks.exercised is set. */
void lp_exercised_note(struct lp_explorer *, lp_eid);

/* Counts the event's operation, an RMW or a store that a reduction left out, as exercised: it could have succeeded, acquired
 * and released. */
void lp_exercised_left_out(struct lp_explorer *, lp_eid);
/* A reduction left out an operation, and another thread performs the compare-exchange at `pc` in its place.  Counts the
 * failure of this compare-exchange as exercised: it could have failed if the operation had been performed. */
void lp_exercised_helped(struct lp_explorer *, uintptr_t pc);

#endif
