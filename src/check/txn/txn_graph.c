/* txn_graph.c -- the parts of the graph that do not depend on transactions: arcs, order, components. */
#include "check/txn/txn_graph.h"

#include "base/alloc.h"

void lp_txn_graph_close(struct lp_txn_graph *g)
{
	lp_free(g->first);
	lp_free(g->arcs);
	lp_free(g->times);
	*g = (struct lp_txn_graph){ 0 };
}

void lp_txn_graph_reverse(const struct lp_txn_graph *g, struct lp_txn_graph *reversed)
{
	const uint32_t count = g->first[g->nodes];
	uint32_t *next = lp_alloc_zero((size_t)g->nodes + 2, sizeof *next);

	*reversed = (struct lp_txn_graph){ .split = g->split, .txns = g->txns, .nodes = g->nodes };
	reversed->arcs = lp_alloc(sizeof *reversed->arcs * ((size_t)count + 1));
	for (uint32_t a = 0; a < count; a++)
		next[g->arcs[a].to + 2]++;
	for (uint32_t v = 0; v < g->nodes; v++)
		next[v + 2] += next[v + 1];
	for (uint32_t v = 0; v < g->nodes; v++)
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			reversed->arcs[next[g->arcs[a].to + 1]++] = (struct lp_txn_arc){ v, g->arcs[a].what };
	reversed->first = next;
}

bool lp_txn_graph_acyclic(const struct lp_txn_graph *g)
{
	uint32_t *before = lp_alloc_zero((size_t)g->nodes + 1, sizeof *before);
	uint32_t *queue = lp_alloc(sizeof *queue * ((size_t)g->nodes + 1));
	uint32_t in = 0, out = 0;

	for (uint32_t a = 0; a < g->first[g->nodes]; a++)
		before[g->arcs[a].to]++;
	for (uint32_t v = 0; v < g->nodes; v++)
		if (!before[v])
			queue[in++] = v;
	while (out < in) {
		const uint32_t v = queue[out++];
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			if (!--before[g->arcs[a].to])
				queue[in++] = g->arcs[a].to;
	}
	lp_free(before);
	lp_free(queue);
	return in == g->nodes;
}

/* Tarjan's algorithm with its own stack of calls. */
struct tarjan {
	const struct lp_txn_graph *g;
	uint32_t *number, *low, *next; /* next: the arc that is looked at next */
	uint32_t *open, open_count;    /* nodes whose component is not known yet */
	uint32_t *calls, call_count;
	uint32_t *component, count, numbers;
};

static void enter(struct tarjan *t, uint32_t v)
{
	t->number[v] = t->low[v] = ++t->numbers;
	t->next[v] = t->g->first[v];
	t->open[t->open_count++] = v;
	t->calls[t->call_count++] = v;
}

static void leave(struct tarjan *t, uint32_t v)
{
	t->call_count--;
	if (t->call_count) {
		const uint32_t caller = t->calls[t->call_count - 1];
		if (t->low[v] < t->low[caller])
			t->low[caller] = t->low[v];
	}
	if (t->low[v] != t->number[v])
		return;
	const bool alone = t->open[t->open_count - 1] == v;
	t->count += !alone;
	uint32_t w;
	do {
		w = t->open[--t->open_count];
		t->component[w] = alone ? 0 : t->count;
		t->low[w] = UINT32_MAX; /* done */
	} while (w != v);
}

static void visit(struct tarjan *t, uint32_t root)
{
	enter(t, root);
	while (t->call_count) {
		const uint32_t v = t->calls[t->call_count - 1];
		if (t->next[v] == t->g->first[v + 1]) {
			leave(t, v);
			continue;
		}
		const uint32_t w = t->g->arcs[t->next[v]++].to;
		if (!t->number[w])
			enter(t, w);
		else if (t->low[w] != UINT32_MAX && t->number[w] < t->low[v])
			t->low[v] = t->number[w];
	}
}

uint32_t *lp_txn_graph_components(const struct lp_txn_graph *g)
{
	const size_t n = (size_t)g->nodes + 1;
	struct tarjan t = { .g = g, .number = lp_alloc_zero(n, sizeof *t.number), .low = lp_alloc(sizeof *t.low * n),
			    .next = lp_alloc(sizeof *t.next * n), .open = lp_alloc(sizeof *t.open * n),
			    .calls = lp_alloc(sizeof *t.calls * n),
			    .component = lp_alloc_zero(n, sizeof *t.component) };

	for (uint32_t v = 0; v < g->nodes; v++)
		if (!t.number[v])
			visit(&t, v);
	lp_free(t.number);
	lp_free(t.low);
	lp_free(t.next);
	lp_free(t.open);
	lp_free(t.calls);
	return t.component;
}
