/* weak_infer.h -- computes what calls must have seen if some items have given sources (weak_calls.h).
 *
 * Every rule of weak.h says which further updates a call must have seen if it has seen certain updates.  So for given sources
 * there is a least V.  If the least V leads to a contradiction, every V does.  If all sources are given and there is no
 * contradiction, the least V explains the history.
 */
#ifndef LP_CHECK_WEAK_WEAK_INFER_H
#define LP_CHECK_WEAK_WEAK_INFER_H

#include "base/vec.h"
#include "check/weak/weak.h"
#include "check/weak/weak_views.h"
#include "check/weak/weak_reads.h"

/* The assumption that call `call` has seen the update, or that it has not. */
struct lp_weak_guess {
	uint32_t call, update;
	bool seen;
};

struct lp_weak_inference {
	const struct lp_weak_calls *w;
	const struct lp_weak *weak;
	unsigned guarantees; /* the guarantees of the condition, and those that follow from them */
	struct lp_views views;
	bool by_reads;       /* views are clocks of calls (weak_reads.h) */
	struct lp_weak_reads reads;

	/* Input: for each item its source, or LP_OPEN; for counters, guesses instead. */
	uint32_t *source;
	bool *not_initially; /* for each item: LP_INITIALLY cannot be its source, because its call has seen updates of the
			      * key */
	struct {
		LP_VEC(struct lp_weak_guess);
	} guesses;

	/* Output. */
	uint32_t short_call; /* the first call for which the updates that it must have seen do not add up to its result;
			      * LP_NO_OP: none */
	uint32_t *short_view; /* the view of this call */
	const char *clash;   /* the contradiction; NULL: none */

	/* Views (weak_views.h). */
	uint32_t *closure;   /* for each update, the updates that a call must have seen if it has seen this update */
	/* For each session: the union of the closures of its updates so far (`own`), V of its last call so far (`last`), and
	 * the union of V of all its calls so far (`met`).  `met` has one more row, for the current call. */
	uint32_t *own, *last, *met;
	uint32_t *all;       /* all updates that returned */
	uint32_t *list;
	struct lp_weak_edges edges; /* the order of updates that reads require, as edges between their calls */
};

void lp_weak_infer_open(struct lp_weak_inference *f, const struct lp_weak_calls *w, const struct lp_weak *weak);
void lp_weak_infer_close(struct lp_weak_inference *f);

/* Computes the least V, and sets sources that are the only possible ones.  Returns true if there is no contradiction;
 * otherwise, sets `clash` and returns false. */
bool lp_weak_infer(struct lp_weak_inference *f);

/* Enumerates the possible sources of an item: returns the next one, from position `*at` on, and advances `*at`.  LP_OPEN:
 * there are no more. */
uint32_t lp_weak_next_source(const struct lp_weak_inference *f, uint32_t item, uint32_t *at);

/* A graph whose nodes are calls, with an edge for each dependence between two calls. */
struct lp_weak_graph {
	uint32_t nodes;
	uint32_t *first, *next;
	uint32_t *before; /* for each node, the number of edges to it from nodes that lp_weak_graph_next() has not yet returned */
	uint32_t *ready, ready_count, done; /* the nodes that it can return next, and the number of nodes that it has returned */
};

void lp_weak_graph_open(struct lp_weak_graph *g, uint32_t nodes, const struct lp_weak_edge *edges, uint32_t count);
void lp_weak_graph_close(struct lp_weak_graph *g);

/* Topological sort: returns a node whose predecessors were all returned before, or LP_NO_OP if there is no such node.  If it
 * returns LP_NO_OP before all nodes were returned, the graph has a cycle. */
uint32_t lp_weak_graph_next(struct lp_weak_graph *g);

/* Returns the key of an item.  If the key is LP_ANY_KEY and the source of the item is known, returns the key of the source. */
uint32_t lp_weak_item_key(const struct lp_weak_inference *f, uint32_t item);

/* Lists the dependences between calls as edges.  If there are final calls, there is one further node, which has the number after
 * the last call: the moment at which all updates have ended. */
void lp_weak_dependences(const struct lp_weak_inference *f, struct lp_weak_edges *edges);

/* For LP_EACH_LINE (weak_line.c): is there, for each session, an order of its calls and of the updates that they have seen?  If
 * not, sets `clash`. */
bool lp_weak_lines_exist(struct lp_weak_inference *f);

#endif
