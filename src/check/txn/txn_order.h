/* txn_order.h -- maintains a topological order of a graph while edges are added and removed.
 *
 * After Pearce and Kelly, "A dynamic topological sort algorithm for directed acyclic graphs", JEA 2006: when a new edge
 * contradicts the order, only nodes between its ends move.
 *
 * Each added edge belongs to a decision of the search (settle.c); 0 stands for no decision.  If an edge would close a cycle,
 * it is not added, and `conflict` lists, in ascending order, the decisions to which the other edges of the cycle belong.
 *
 * Ownership: lp_txn_order_close() frees it; the graph must outlive it.
 */
#ifndef LP_CHECK_TXN_TXN_ORDER_H
#define LP_CHECK_TXN_TXN_ORDER_H

#include "check/txn/txn_graph.h"

struct lp_txn_decisions {
	LP_VEC(uint32_t);
};

struct lp_txn_added {
	uint32_t from, to, decision;
	uint32_t next_out, prev_out, next_in, prev_in; /* neighbours in the lists of edges of the two nodes; UINT32_MAX:
						        * none */
};

struct lp_txn_order {
	const struct lp_txn_graph *g;
	struct lp_txn_graph reversed;
	uint32_t *place, *at; /* the place of a node, and the node at a place */
	struct {
		LP_VEC(struct lp_txn_added);
	} added;
	/* `trail`: the added edges that belong to decisions, in the order in which they were added.  `free`: the indices in
	 * `added` that are free. */
	struct lp_txn_decisions trail, free;
	uint32_t *out, *in;   /* for each node, the first added edge from it and to it; UINT32_MAX: none */
	struct lp_txn_decisions conflict;
	struct lp_txn_decisions moved; /* the nodes that have moved since the caller emptied this list */
	uint64_t steps;

	/* Used by searches. */
	uint32_t *seen, stamp, *parent, *by; /* `by`: the decision of the edge from the parent */
	struct lp_txn_decisions forward, backward, stack, places;
};

/* The graph must be acyclic.  The initial order puts nodes with less weight first, as far as the edges allow. */
void lp_txn_order_open(struct lp_txn_order *o, const struct lp_txn_graph *g, const int64_t *weight);
void lp_txn_order_close(struct lp_txn_order *o);

/* Adds an edge.  Returns false, with `conflict` filled in, if the edge would close a cycle. */
bool lp_txn_order_add(struct lp_txn_order *o, uint32_t from, uint32_t to, uint32_t decision);

/* Removes the edges of this decision and of all decisions with larger numbers. */
void lp_txn_order_undo(struct lp_txn_order *o, uint32_t decision);

#endif
