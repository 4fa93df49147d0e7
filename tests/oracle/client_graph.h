/* client_graph.h -- the execution that a client has which orders the calls of another one.
 *
 * Built as a candidate of axioms.h from an explorer's graph: a release write after every
 * call that others come after, read by an acquire read before those.  Nothing of
 * src/model/ is used.
 */
#ifndef LP_ORACLE_CLIENT_GRAPH_H
#define LP_ORACLE_CLIENT_GRAPH_H

#include "explore/explore.h"
#include "graph/graph.h"
#include "model/calls.h"

/* Are there few enough events for axioms.h? */
bool client_graph_fits(const struct lp_graph *, const struct lp_calls *);

/* Is the graph an execution with the order in which before[a] has bit b if b comes before
 * a?  Under tso also if only some way of putting threads behind each other makes it one. */
bool client_graph_possible(const struct lp_graph *, const struct lp_calls *, enum lp_model,
			   const uint32_t *before);

#endif
