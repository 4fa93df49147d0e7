/* txn_graph.h -- the graph of dependencies between transactions.
 *
 * A node is a transaction or, for snapshot isolation, the start or the commit of a transaction.  Further nodes replace sets
 * of edges: m times n edges become m + n edges through one node.  Some of these nodes are moments in time.  An edge from one
 * transaction to another means that the first comes before the second, for one of these reasons:
 *
 *     ww    the first makes a version that the second replaces
 *     wr    the first makes a version that the second reads
 *     rw    the first reads a version that the second replaces
 *     so    the first comes before the second in their thread
 *     rt    the first ended before the second started
 *     via   there is no such reason: the edge is the second half of an edge through a further node, or it leads from the
 *           start of a transaction to its commit
 *
 * (Adya, Liskov and O'Neil, "Generalized isolation level definitions", ICDE 2000.)  In a graph of starts and commits, ww,
 * wr, so and rt go from a commit to a start, and rw from a start to a commit.  Such a graph has a cycle iff there is a cycle
 * of transactions without two adjacent rw edges (Cerone and Gotsman, "Analysing snapshot isolation", JACM 2018).
 *
 * Ownership: lp_txn_graph_close() frees it.
 */
#ifndef LP_CHECK_TXN_TXN_GRAPH_H
#define LP_CHECK_TXN_TXN_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct lp_txn_facts;

enum lp_txn_edge_kind { LP_TXN_VIA, LP_TXN_WW, LP_TXN_WR, LP_TXN_RW, LP_TXN_SO, LP_TXN_RT, LP_TXN_KINDS };

/* An edge; `what` is its kind plus 8 times its key. */
struct lp_txn_edge {
	uint32_t from, to, what;
};

struct lp_txn_edges {
	LP_VEC(struct lp_txn_edge);
};

/* An edge, as it is stored at the node where it begins. */
struct lp_txn_arc {
	uint32_t to, what;
};

struct lp_txn_graph {
	bool split;      /* node 2t is the start of transaction t, and 2t + 1 its commit; false: node t is transaction t */
	uint32_t txns, nodes; /* the numbers of transactions and of nodes */
	uint32_t *first; /* the arcs of node v are arcs[first[v]] .. arcs[first[v + 1] - 1] */
	struct lp_txn_arc *arcs;
	int64_t *times;  /* a time for each further node, to find orders that are close to real time */
};

/* Which edges the graph has: `kinds` is a set of 1 << kind. */
struct lp_txn_wanted {
	unsigned kinds;
	bool split;
	const bool *among;                /* the transactions that the graph has; NULL: all that committed */
	const struct lp_txn_edges *extra; /* additional edges between transactions; NULL: none */
};

void lp_txn_graph_open(struct lp_txn_graph *g, const struct lp_txn_facts *f, const struct lp_txn_wanted *wanted);
void lp_txn_graph_close(struct lp_txn_graph *g);

static inline uint32_t lp_txn_start_of(const struct lp_txn_graph *g, uint32_t txn)
{
	return txn << g->split;
}

static inline uint32_t lp_txn_commit_of(const struct lp_txn_graph *g, uint32_t txn)
{
	return txn << g->split | g->split;
}

static inline bool lp_txn_is_txn(const struct lp_txn_graph *g, uint32_t node)
{
	return node < g->txns << g->split;
}

static inline enum lp_txn_edge_kind lp_txn_kind(uint32_t what)
{
	return (enum lp_txn_edge_kind)(what & 7);
}

/* Makes the same graph with all arcs reversed. */
void lp_txn_graph_reverse(const struct lp_txn_graph *g, struct lp_txn_graph *reversed);

/* Is the graph acyclic? */
bool lp_txn_graph_acyclic(const struct lp_txn_graph *g);

/* Returns the number of the strongly connected component of each node; 0 for nodes that are on no cycle. */
uint32_t *lp_txn_graph_components(const struct lp_txn_graph *g);

#endif
