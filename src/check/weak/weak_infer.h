/* weak_infer.h -- computes what calls must have seen if some items have given sources.
 *
 * Every rule of weak.h has the form: if a call has seen this, it has also seen that.  So for given sources there is a least
 * V, and a contradiction to the least V is a contradiction to every V.  If all sources are given and there is no
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
	bool by_reads;       /* views are as in weak_reads.h */
	struct lp_weak_reads reads;

	/* Input: for each item its source, or LP_OPEN; and, for counters only, guesses. */
	uint32_t *source;
	bool *not_initially; /* for each item: LP_INITIALLY cannot be its source, because its call has seen updates on the
			      * key */
	struct {
		LP_VEC(struct lp_weak_guess);
	} guesses;

	/* Output. */
	uint32_t short_call; /* a call that has not seen enough updates to explain its result; or LP_NO_OP */
	uint32_t *short_view; /* the view of that call */
	const char *clash;   /* the contradiction; or NULL */

	uint32_t *closure;   /* for each update, the updates that a call must have seen if it has
	                      * seen this one */
	uint32_t *own, *last, *met; /* for each session: the union of the closures of its updates so far; V of its last call;
				     * the union of all V so far */
	uint32_t *all;       /* all updates that returned */
	uint32_t *list;
	struct lp_weak_edges edges; /* the order of updates that reads require, as edges between their calls */
};

void lp_weak_infer_open(struct lp_weak_inference *f, const struct lp_weak_calls *w, const struct lp_weak *weak);
void lp_weak_infer_close(struct lp_weak_inference *f);

/* Returns true if there is no contradiction; otherwise `clash` is set. */
bool lp_weak_infer(struct lp_weak_inference *f);

/* Returns the next possible source of the item, from number `*at` on; LP_OPEN if there is none. */
uint32_t lp_weak_next_source(const struct lp_weak_inference *f, uint32_t item, uint32_t *at);

/* A graph whose nodes are calls, with an edge for each dependence between two calls. */
struct lp_weak_graph {
	uint32_t nodes;
	uint32_t *first, *next;
	uint32_t *before; /* for each node, how many edges lead to it; lp_weak_graph_next() counts these down */
	uint32_t *ready, ready_count, done;
};

void lp_weak_graph_open(struct lp_weak_graph *g, uint32_t nodes, const struct lp_weak_edge *edges, uint32_t count);
void lp_weak_graph_close(struct lp_weak_graph *g);

/* Topological sort: returns a node all of whose predecessors were returned before, or LP_NO_OP if there is none.  If then not
 * all nodes were returned, there is a cycle. */
uint32_t lp_weak_graph_next(struct lp_weak_graph *g);

/* Returns the key of an item.  For LP_ANY_KEY it is the key of the item's source, if the source is known, and otherwise
 * LP_ANY_KEY. */
uint32_t lp_weak_item_key(const struct lp_weak_inference *f, uint32_t item);

/* Lists the dependences between calls as edges.  For final calls there is one further node: the moment at which all updates
 * have ended. */
void lp_weak_dependences(const struct lp_weak_inference *f, struct lp_weak_edges *edges);

/* For LP_EACH_LINE (weak_line.c): does each session have an order of the updates it has seen and its own calls? */
bool lp_weak_lines_exist(struct lp_weak_inference *f);

#endif
