/* weak_infer.h -- what must have been seen, given some sources.
 *
 * Every rule of weak.h says that something more has been seen if something else has.  So there is a least V for given
 * sources, and whatever contradicts it contradicts every V.  If nothing does, and all sources are given, it is one that
 * explains the history.
 */
#ifndef LP_CHECK_WEAK_WEAK_INFER_H
#define LP_CHECK_WEAK_WEAK_INFER_H

#include "base/vec.h"
#include "check/weak/weak.h"
#include "check/weak/weak_views.h"
#include "check/weak/weak_reads.h"

/* That call `call` has seen the update, or that it has not. */
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

	/* What is given: for each item its source, or LP_OPEN; guesses (of counters only). */
	uint32_t *source;
	bool *not_initially; /* LP_INITIALLY cannot be its source: its call has seen updates on the key */
	struct {
		LP_VEC(struct lp_weak_guess);
	} guesses;

	/* What is found out. */
	uint32_t short_call; /* what it has seen does not add up yet; or LP_NO_OP */
	uint32_t *short_view; /* and what that is */
	const char *clash;   /* why it is impossible; or NULL */

	uint32_t *closure;   /* by update: what has been seen with it */
	uint32_t *own, *last, *met; /* by session: closures of its updates so far; V of its last call; all V so far */
	uint32_t *all;       /* all updates that returned */
	uint32_t *list;
	struct lp_weak_edges edges; /* of updates, by their calls: from demands of reads */
};

void lp_weak_infer_open(struct lp_weak_inference *f, const struct lp_weak_calls *w, const struct lp_weak *weak);
void lp_weak_infer_close(struct lp_weak_inference *f);

/* True if nothing is impossible; else `clash` is set. */
bool lp_weak_infer(struct lp_weak_inference *f);

/* The next source that would do for the item, from number `*at` on; LP_OPEN if there is none. */
uint32_t lp_weak_next_source(const struct lp_weak_inference *f, uint32_t item, uint32_t *at);

/* Calls as nodes: the order of sessions, from sources, from guesses, and further edges. */
struct lp_weak_graph {
	uint32_t nodes;
	uint32_t *first, *next;
	uint32_t *before; /* how many edges lead to a node; used up by lp_weak_graph_next() */
	uint32_t *ready, ready_count, done;
};

void lp_weak_graph_open(struct lp_weak_graph *g, uint32_t nodes, const struct lp_weak_edge *edges, uint32_t count);
void lp_weak_graph_close(struct lp_weak_graph *g);

/* A node all of whose predecessors were returned before; LP_NO_OP if there is none: if not all were returned, there is a
 * cycle. */
uint32_t lp_weak_graph_next(struct lp_weak_graph *g);

/* The key of an item, which its source may decide; or LP_ANY_KEY. */
uint32_t lp_weak_item_key(const struct lp_weak_inference *f, uint32_t item);

/* Who depends on whom, calls being nodes.  One more is the moment at which all updates are over, for calls that
 * are final. */
void lp_weak_dependences(const struct lp_weak_inference *f, struct lp_weak_edges *edges);

/* For LP_EACH_LINE (weak_line.c): is there, for each session, an order of what it has seen and its calls? */
bool lp_weak_lines_exist(struct lp_weak_inference *f);

#endif
