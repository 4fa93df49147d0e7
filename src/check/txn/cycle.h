/* cycle.h -- searches for a short cycle of dependencies. */
#ifndef LP_CHECK_TXN_CYCLE_H
#define LP_CHECK_TXN_CYCLE_H

#include "check/txn/txn_graph.h"

/* Finds a cycle among the nodes of `component` (lp_txn_graph_components()): one with the fewest transactions, unless that
 * takes too long; `*is_shortest` says which.  With `one_rw` only cycles with exactly one rw edge count.  `cycle` gets the edges
 * between transactions, each beginning where the previous one ends.  Returns false if there is no such cycle. */
bool lp_txn_cycle_find(const struct lp_txn_graph *g, const uint32_t *component, bool one_rw, struct lp_txn_edges *cycle,
		       bool *is_shortest);

#endif
