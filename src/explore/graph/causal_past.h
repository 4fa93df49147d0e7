/* causal_past.h -- the events that lead to a step of a thread.
 *
 * An event leads to another through po, rf, the start of a thread, or a join.  The graph's porf clocks cannot be
 * used for this, because they also contain the order that symmetry adds (symmetry.h).
 */
#ifndef LP_EXPLORE_GRAPH_CAUSAL_PAST_H
#define LP_EXPLORE_GRAPH_CAUSAL_PAST_H

#include "graph/graph.h"

/* Fills in `past`: for each thread, how many of its events lead to what `thread` does after its
 * first `index` events.  `past` has room for g->width threads. */
void lp_causal_past_find(const struct lp_graph *g, uint32_t thread, uint32_t index, uint32_t *past);

#endif
