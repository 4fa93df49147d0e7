/* txn_graph.h -- transactions, and which come before which.
 *
 * A node is a transaction; or, for snapshot isolation, its start or its commit.  Then there are nodes that stand for
 * moments, or for sets of edges: from many to many by way of one.  An edge means that its beginning comes first:
 *
 *     ww    makes a version that the other replaces
 *     wr    makes a version that the other reads
 *     rw    reads a version that the other replaces
 *     so    comes before the other in its thread
 *     rt    had ended when the other started
 *     none  the rest of an edge that goes by way of another node; a transaction's start and its commit
 *
 * (Adya, Liskov and O'Neil, "Generalized isolation level definitions", ICDE 2000.)  In a graph of starts and commits, ww,
 * wr, so and rt go from a commit to a start, and rw from a start to a commit: it has a cycle iff there is one of
 * transactions in which no two rw follow each other (Cerone and Gotsman, "Analysing snapshot isolation", JACM 2018).
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

/* As they are added: what is the kind, and the key times 8. */
struct lp_txn_edge {
	uint32_t from, to, what;
};

struct lp_txn_edges {
	LP_VEC(struct lp_txn_edge);
};

struct lp_txn_arc {
	uint32_t to, what;
};

struct lp_txn_graph {
	bool split;      /* node 2t is the start of transaction t, 2t + 1 its commit; else node t is all of it */
	uint32_t txns, nodes;
	uint32_t *first; /* arcs of node v: from first[v] to first[v + 1] */
	struct lp_txn_arc *arcs;
	int64_t *times;  /* of the nodes after those of transactions, for orders near to what happened */
};

/* Which edges there are: sets of 1 << kind. */
struct lp_txn_wanted {
	unsigned kinds;
	bool split;
	const bool *among;                /* only these transactions; NULL: all that committed */
	const struct lp_txn_edges *extra; /* further ones, between transactions; or NULL */
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

/* The same arcs, from their ends to their beginnings. */
void lp_txn_graph_reverse(const struct lp_txn_graph *g, struct lp_txn_graph *reversed);

/* Is there no cycle? */
bool lp_txn_graph_acyclic(const struct lp_txn_graph *g);

/* Numbers the strongly connected components; 0 for nodes that are on no cycle. */
uint32_t *lp_txn_graph_components(const struct lp_txn_graph *g);

#endif
