/* causal_past.h -- the events that lead to a step of a thread.
 *
 * By po and rf, by the beginnings of threads and by joins; and by nothing else: the graph's own clocks
 * also have what symmetry adds.
 */
#ifndef LP_EXPLORE_GRAPH_CAUSAL_PAST_H
#define LP_EXPLORE_GRAPH_CAUSAL_PAST_H

#include "graph/graph.h"

/* For each thread, how many of its events lead to what `thread` does after its first `index` events.
 * `past` has room for g->width threads. */
void lp_find_past(const struct lp_graph *g, uint32_t thread, uint32_t index, uint32_t *past);

#endif
