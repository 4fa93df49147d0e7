/* exercised.h -- what the atomic operations of a program have been seen to do.
 *
 * An acquire is exercised if in some execution it orders something: what it reads is part of a release
 * sequence, and something of another thread that happens before the release did not happen before the acquire
 * already.  The release at the other end is exercised with it.  A fence is exercised by the reads
 * before it, or the writes behind it.
 *
 * Every event that is accepted is looked at, in prefixes of executions as well, which all belong to
 * executions.  Reductions may leave operations out, or what they do: then these count as exercised
 * (helping.h, redundant_stores.h, silent_rmw.h).  So what is not exercised is so in no execution.
 */
#ifndef LP_EXPLORE_EXERCISED_H
#define LP_EXPLORE_EXERCISED_H

#include "graph/graph.h"

struct lp_explorer;

/* The event was just accepted.  Does nothing unless options->exercised is set. */
void lp_exercised_note(struct lp_explorer *, lp_eid);

/* The event's operation, an RMW, or a store, was left out: had it been performed, another thread could have acquired
 * from it.  The compare-exchange at `pc`, which does the same instead, could have failed. */
void lp_exercised_left_out(struct lp_explorer *, lp_eid);
void lp_exercised_helped(struct lp_explorer *, uintptr_t pc);

#endif
