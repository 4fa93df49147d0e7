/* cycle.c -- shortest cycles, by a breadth-first search from each node of a component.
 *
 * A `via` edge (txn_graph.h) has length 0, and every other edge has length 1.  So new nodes are inserted at either end of
 * the queue.  To find cycles with one rw edge, each node is used twice: before that edge and after it.
 */
#include "check/txn/cycle.h"

#include "base/alloc.h"

enum { WORK = 1 << 26 }; /* arcs that are looked at, for all searches together */

struct search {
	const struct lp_txn_graph *g;
	const uint32_t *component;
	bool one_rw;
	uint32_t *seen, stamp;        /* state: in which search it was seen */
	uint32_t *length;             /* transactions on the way there */
	uint32_t *before, *what;      /* the state before it, and the arc */
	uint32_t *queue;              /* twice as long as there are states, begun in the middle */
	uint64_t work;
	uint32_t best;                /* length of the shortest so far; UINT32_MAX */
	struct lp_txn_edges *cycle;
};

static uint32_t state_of(const struct search *s, uint32_t node, bool after)
{
	return s->one_rw ? node << 1 | after : node;
}

static uint32_t node_of(const struct search *s, uint32_t state)
{
	return state >> s->one_rw;
}

static uint32_t txn_of(const struct search *s, uint32_t node)
{
	return node >> s->g->split;
}

/* The edges on the way to the state, from the last to the first. */
static void take_cycle(struct search *s, uint32_t state, uint32_t last_what, uint32_t target)
{
	struct lp_txn_edges *c = s->cycle;
	uint32_t to = txn_of(s, target), what = last_what, at = state;

	c->count = 0;
	for (;;) {
		const uint32_t node = node_of(s, at);
		if (lp_txn_kind(what) != LP_TXN_VIA && lp_txn_is_txn(s->g, node)) {
			LP_PUSH(c, (struct lp_txn_edge){ txn_of(s, node), to, what });
			to = txn_of(s, node);
		}
		if (s->before[at] == UINT32_MAX)
			break;
		what = s->what[at];
		at = s->before[at];
	}
	for (uint32_t i = 0, j = c->count - 1; i < j; i++, j--) {
		const struct lp_txn_edge swap = c->at[i];
		c->at[i] = c->at[j];
		c->at[j] = swap;
	}
}

/* The states that wait, the nearest first. */
struct waiting {
	uint32_t *in, *out, *begin;
};

/* Goes along an arc: to the goal, which may be a shorter way back, or to a state that is nearer than was known. */
static void go_along(struct search *s, struct waiting *w, uint32_t state, const struct lp_txn_arc *arc, uint32_t root)
{
	const enum lp_txn_edge_kind kind = lp_txn_kind(arc->what);
	const uint32_t length = s->length[state] + (kind != LP_TXN_VIA);
	const bool after = s->one_rw && (state & 1);

	if (s->component[arc->to] != s->component[root] || length >= s->best || (after && kind == LP_TXN_RW))
		return;
	const uint32_t next = state_of(s, arc->to, after || kind == LP_TXN_RW);
	if (next == state_of(s, root, s->one_rw) && length) {
		s->best = length; /* one that is shorter may still come */
		take_cycle(s, state, arc->what, root);
		return;
	}
	if (s->seen[next] == s->stamp && s->length[next] <= length)
		return;
	s->seen[next] = s->stamp;
	s->length[next] = length;
	s->before[next] = state;
	s->what[next] = arc->what;
	if (kind == LP_TXN_VIA && w->out > w->begin)
		*--w->out = next;
	else
		*w->in++ = next;
}

static void search_from(struct search *s, uint32_t root)
{
	const struct lp_txn_graph *g = s->g;
	uint32_t *middle = s->queue + ((size_t)g->nodes << s->one_rw);
	struct waiting w = { middle, middle, s->queue };
	const uint32_t first = state_of(s, root, false);

	s->seen[first] = ++s->stamp;
	s->length[first] = 0;
	s->before[first] = UINT32_MAX;
	*w.in++ = first;
	while (w.out < w.in && s->work < WORK) {
		const uint32_t state = *w.out++, v = node_of(s, state);
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++, s->work++)
			go_along(s, &w, state, &g->arcs[a], root);
	}
}

bool lp_txn_cycle_find(const struct lp_txn_graph *g, const uint32_t *component, bool one_rw, struct lp_txn_edges *cycle,
		       bool *is_shortest)
{
	const size_t n = ((size_t)g->nodes << one_rw) + 1;
	struct search s = { .g = g, .component = component, .one_rw = one_rw, .best = UINT32_MAX, .cycle = cycle,
			    .seen = lp_alloc_zero(n, sizeof *s.seen), .length = lp_alloc(sizeof *s.length * n),
			    .before = lp_alloc(sizeof *s.before * n), .what = lp_alloc(sizeof *s.what * n),
			    .queue = lp_alloc(sizeof *s.queue * 4 * n) };

	for (uint32_t v = 0; v < g->txns << g->split && s.work < WORK && s.best > 2; v++)
		if (component[v])
			search_from(&s, v);
	*is_shortest = s.work < WORK;
	lp_free(s.seen);
	lp_free(s.length);
	lp_free(s.before);
	lp_free(s.what);
	lp_free(s.queue);
	return s.best != UINT32_MAX;
}
