/* client_graph.h -- the execution of a client that orders the calls of another client.
 *
 * It is built from an explorer's graph as a candidate for axioms.h: if call b must come after call a, a release write
 * follows a, and an acquire read of it precedes b.  Nothing of
 * src/model/ is used.
 */
#ifndef LP_ORACLE_CLIENT_GRAPH_H
#define LP_ORACLE_CLIENT_GRAPH_H

#include "axioms.h"
#include "explore/explore.h"
#include "graph/graph.h"
#include "model/calls.h"

enum { CLIENT_THREADS = 8 };

struct client_graph {
	const struct lp_graph *g;
	const struct lp_calls *calls;
	enum lp_model model;
	struct candidate plain;     /* the graph without messages; initial writes come first */
	unsigned locations;         /* so many of them */
	set thread[CLIENT_THREADS]; /* the events of each */
	/* By call: the events of its thread before its first one, and up to its last. */
	set earlier[LP_CALLS], through[LP_CALLS];
};

/* Are there few enough events for axioms.h? */
bool client_graph_fits(const struct lp_graph *, const struct lp_calls *);

/* Graph and calls must stay as they are. */
void client_graph_open(struct client_graph *, const struct lp_graph *, const struct lp_calls *,
		       enum lp_model);

/* Is the graph an execution with the order in which before[a] has bit b if b comes before
 * a?  Under tso also if only some way of putting threads behind each other makes it one. */
bool client_graph_possible(const struct client_graph *, const uint32_t *before);

/* The same if each call that can be in the thread of the call directly before it is there. */
bool client_graph_possible_in_threads(const struct client_graph *, const uint32_t *before);

/* If not, no order that contains this one is possible, itself included.  In other models than tso that
 * is to be possible: with more messages more happens before more, and the axioms forbid more.  Under
 * tso a larger order may be possible where a smaller one is not: three calls can be in one thread, of
 * which two, one after the first and one after the second, cannot both be in the thread of the first. */
bool client_graph_hopeful(const struct client_graph *, const uint32_t *before);

#endif
