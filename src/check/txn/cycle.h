/* cycle.h -- a short cycle of dependencies. */
#ifndef LP_CHECK_TXN_CYCLE_H
#define LP_CHECK_TXN_CYCLE_H

#include "check/txn/txn_graph.h"

/* Finds a cycle among the nodes of `component` (lp_txn_graph_components()), the shortest unless that takes too long:
 * `*is_shortest` says so.  Counted are transactions.  If `one_rw` is set, it has exactly one rw, or there is none.
 * `cycle` gets its edges, between transactions, each beginning where the one before ends.  False if there is none. */
bool lp_txn_cycle_find(const struct lp_txn_graph *g, const uint32_t *component, bool one_rw, struct lp_txn_edges *cycle,
		       bool *is_shortest);

#endif
