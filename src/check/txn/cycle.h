/* cycle.h -- searches for a short cycle of dependencies. */
#ifndef LP_CHECK_TXN_CYCLE_H
#define LP_CHECK_TXN_CYCLE_H

#include "check/txn/txn_graph.h"

/* Finds a cycle.  `component` is the result of lp_txn_graph_components().  With `one_rw`, only cycles with exactly one rw edge
 * count.  If `*is_shortest` is set, no cycle has fewer transactions; it is not set if the search would have taken too long.
 * `cycle` gets the edges between transactions, each beginning where the previous one ends.  Returns false if no cycle was
 * found. */
bool lp_txn_cycle_find(const struct lp_txn_graph *g, const uint32_t *component, bool one_rw, struct lp_txn_edges *cycle,
		       bool *is_shortest);

#endif
