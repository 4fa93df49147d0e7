/* weak_infer.h -- what must have been seen, given some sources.
 *
 * Every rule of weak.h has the form: if this was seen, that was seen, too.  So there is a least V for given sources, and
 * what contradicts it contradicts every V.  If nothing contradicts it, and all sources are given, this V explains the
 * history.
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
	unsigned guarantees; /* of the condition, and what follows from them */
	struct lp_views views;
	bool by_reads;       /* views are as in weak_reads.h */
	struct lp_weak_reads reads;

	/* Given: for each item its source, or LP_OPEN; and guesses (counters only). */
	uint32_t *source;
	bool *not_initially; /* LP_INITIALLY cannot be its source: its call has seen updates on the key */
	struct {
		LP_VEC(struct lp_weak_guess);
	} guesses;

	/* Results. */
	uint32_t short_call; /* a call whose seen updates do not add up to its result yet; or LP_NO_OP */
	uint32_t *short_view; /* its view */
	const char *clash;   /* why it is impossible; or NULL */

	uint32_t *closure;   /* by update: what is seen by every call that sees it */
	uint32_t *own, *last, *met; /* by session: closures of its updates so far; V of its last call; union of all V so far */
	uint32_t *all;       /* all updates that returned */
	uint32_t *list;
	struct lp_weak_edges edges; /* the order of updates that reads require, as edges between their calls */
};

void lp_weak_infer_open(struct lp_weak_inference *f, const struct lp_weak_calls *w, const struct lp_weak *weak);
void lp_weak_infer_close(struct lp_weak_inference *f);

/* True if there is no contradiction; otherwise `clash` is set. */
bool lp_weak_infer(struct lp_weak_inference *f);

/* The next possible source of the item, from number `*at` on; LP_OPEN if there is none. */
uint32_t lp_weak_next_source(const struct lp_weak_inference *f, uint32_t item, uint32_t *at);

/* A graph whose nodes are calls, with edges from sessions, sources, guesses, and others. */
struct lp_weak_graph {
	uint32_t nodes;
	uint32_t *first, *next;
	uint32_t *before; /* how many edges lead to a node; used up by lp_weak_graph_next() */
	uint32_t *ready, ready_count, done;
};

void lp_weak_graph_open(struct lp_weak_graph *g, uint32_t nodes, const struct lp_weak_edge *edges, uint32_t count);
void lp_weak_graph_close(struct lp_weak_graph *g);

/* Topological sort: returns a node all of whose predecessors were returned before, or LP_NO_OP if there is none.  If then not
 * all nodes were returned, there is a cycle. */
uint32_t lp_weak_graph_next(struct lp_weak_graph *g);

/* The key of an item, which may follow from its source; or LP_ANY_KEY. */
uint32_t lp_weak_item_key(const struct lp_weak_inference *f, uint32_t item);

/* The dependences between calls, as edges.  One further node is the moment at which all updates have ended, for final
 * calls. */
void lp_weak_dependences(const struct lp_weak_inference *f, struct lp_weak_edges *edges);

/* For LP_EACH_LINE (weak_line.c): does each session have an order of the updates it has seen and its own calls? */
bool lp_weak_lines_exist(struct lp_weak_inference *f);

#endif
