/* txn_order.c -- maintains a topological order while edges are added and removed. */
#include "check/txn/txn_order.h"

#include <stdlib.h>

#include "base/alloc.h"

#define NONE UINT32_MAX

/* A heap of nodes, the lightest first. */
struct heap {
	LP_VEC(uint32_t);
	const int64_t *weight;
};

static bool is_lighter(const struct heap *h, uint32_t a, uint32_t b)
{
	return h->weight[a] != h->weight[b] ? h->weight[a] < h->weight[b] : a < b;
}

static void push(struct heap *h, uint32_t node)
{
	uint32_t i = h->count;

	LP_PUSH(h, node);
	for (; i && is_lighter(h, node, h->at[(i - 1) / 2]); i = (i - 1) / 2)
		h->at[i] = h->at[(i - 1) / 2];
	h->at[i] = node;
}

static uint32_t pop(struct heap *h)
{
	const uint32_t top = h->at[0], node = h->at[--h->count];
	uint32_t i = 0;

	for (uint32_t child; (child = 2 * i + 1) < h->count; i = child) {
		child += child + 1 < h->count && is_lighter(h, h->at[child + 1], h->at[child]);
		if (!is_lighter(h, h->at[child], node))
			break;
		h->at[i] = h->at[child];
	}
	if (h->count)
		h->at[i] = node;
	return top;
}

static void sort_first(struct lp_txn_order *o, const int64_t *weight)
{
	const struct lp_txn_graph *g = o->g;
	uint32_t *before = lp_alloc_zero((size_t)g->nodes + 1, sizeof *before), place = 0;
	struct heap heap = { .weight = weight };

	for (uint32_t a = 0; a < g->first[g->nodes]; a++)
		before[g->arcs[a].to]++;
	for (uint32_t v = 0; v < g->nodes; v++)
		if (!before[v])
			push(&heap, v);
	while (heap.count) {
		const uint32_t v = pop(&heap);
		o->place[v] = place;
		o->at[place++] = v;
		for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
			if (!--before[g->arcs[a].to])
				push(&heap, g->arcs[a].to);
	}
	lp_free(before);
	lp_free(heap.at);
}

void lp_txn_order_open(struct lp_txn_order *o, const struct lp_txn_graph *g, const int64_t *weight)
{
	const size_t n = (size_t)g->nodes + 1;

	*o = (struct lp_txn_order){ .g = g, .place = lp_alloc(sizeof *o->place * n), .at = lp_alloc(sizeof *o->at * n),
				    .out = lp_alloc(sizeof *o->out * n), .in = lp_alloc(sizeof *o->in * n),
				    .seen = lp_alloc_zero(n, sizeof *o->seen),
				    .parent = lp_alloc(sizeof *o->parent * n), .by = lp_alloc(sizeof *o->by * n) };
	lp_txn_graph_reverse(g, &o->reversed);
	for (uint32_t v = 0; v < g->nodes; v++)
		o->out[v] = o->in[v] = NONE;
	sort_first(o, weight);
}

void lp_txn_order_close(struct lp_txn_order *o)
{
	lp_txn_graph_close(&o->reversed);
	lp_free(o->place);
	lp_free(o->at);
	lp_free(o->added.at);
	lp_free(o->out);
	lp_free(o->in);
	lp_free(o->trail.at);
	lp_free(o->free.at);
	lp_free(o->conflict.at);
	lp_free(o->moved.at);
	lp_free(o->seen);
	lp_free(o->parent);
	lp_free(o->by);
	lp_free(o->forward.at);
	lp_free(o->backward.at);
	lp_free(o->stack.at);
	lp_free(o->places.at);
	*o = (struct lp_txn_order){ 0 };
}

static void reach(struct lp_txn_order *o, uint32_t to, uint32_t parent, uint32_t decision)
{
	o->seen[to] = o->stamp;
	o->parent[to] = parent;
	o->by[to] = decision;
	LP_PUSH(&o->stack, to);
}

/* All that comes after `from`, up to place `last`; false if that is where it gets. */
static bool look_forward(struct lp_txn_order *o, uint32_t from, uint32_t last)
{
	o->stamp++;
	o->forward.count = o->stack.count = 0;
	reach(o, from, NONE, 0);
	while (o->stack.count) {
		const uint32_t v = o->stack.at[--o->stack.count];
		if (o->place[v] == last)
			return false;
		LP_PUSH(&o->forward, v);
		for (uint32_t a = o->g->first[v]; a < o->g->first[v + 1]; a++, o->steps++) {
			const uint32_t w = o->g->arcs[a].to;
			if (o->seen[w] != o->stamp && o->place[w] <= last)
				reach(o, w, v, 0);
		}
		for (uint32_t e = o->out[v]; e != NONE; e = o->added.at[e].next_out, o->steps++) {
			const uint32_t w = o->added.at[e].to;
			if (o->seen[w] != o->stamp && o->place[w] <= last)
				reach(o, w, v, o->added.at[e].decision);
		}
	}
	return true;
}

/* All that comes before `to`, from place `first` on. */
static void look_backward(struct lp_txn_order *o, uint32_t to, uint32_t first)
{
	o->backward.count = o->stack.count = 0;
	reach(o, to, NONE, 0); /* what is seen in one direction is not in the other */
	while (o->stack.count) {
		const uint32_t v = o->stack.at[--o->stack.count];
		LP_PUSH(&o->backward, v);
		for (uint32_t a = o->reversed.first[v]; a < o->reversed.first[v + 1]; a++, o->steps++) {
			const uint32_t w = o->reversed.arcs[a].to;
			if (o->seen[w] != o->stamp && o->place[w] >= first)
				reach(o, w, v, 0);
		}
		for (uint32_t e = o->in[v]; e != NONE; e = o->added.at[e].next_in, o->steps++) {
			const uint32_t w = o->added.at[e].from;
			if (o->seen[w] != o->stamp && o->place[w] >= first)
				reach(o, w, v, 0);
		}
	}
}

static int compare(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Nodes as places, sorted, so that the nodes of each set keep their order. */
static void as_places(const struct lp_txn_order *o, struct lp_txn_decisions *nodes)
{
	for (uint32_t i = 0; i < nodes->count; i++)
		nodes->at[i] = o->place[nodes->at[i]];
	qsort(nodes->at, nodes->count, sizeof *nodes->at, compare);
	for (uint32_t i = 0; i < nodes->count; i++)
		nodes->at[i] = o->at[nodes->at[i]];
}

/* What comes before the edge, then what comes after it, on the places that they have together. */
static void rearrange(struct lp_txn_order *o)
{
	o->places.count = 0;
	as_places(o, &o->backward);
	as_places(o, &o->forward);
	for (uint32_t i = 0; i < o->backward.count; i++)
		LP_PUSH(&o->places, o->place[o->backward.at[i]]);
	for (uint32_t i = 0; i < o->forward.count; i++)
		LP_PUSH(&o->places, o->place[o->forward.at[i]]);
	qsort(o->places.at, o->places.count, sizeof *o->places.at, compare);
	for (uint32_t i = 0; i < o->places.count; i++) {
		const uint32_t v = i < o->backward.count ? o->backward.at[i] : o->forward.at[i - o->backward.count];
		if (o->place[v] != o->places.at[i])
			LP_PUSH(&o->moved, v);
		o->place[v] = o->places.at[i];
		o->at[o->places.at[i]] = v;
	}
}

static void take_conflict(struct lp_txn_order *o, uint32_t end)
{
	struct lp_txn_decisions *c = &o->conflict;
	uint32_t kept = 0;

	c->count = 0;
	for (uint32_t v = end; v != NONE; v = o->parent[v])
		if (o->by[v])
			LP_PUSH(c, o->by[v]);
	if (c->count)
		qsort(c->at, c->count, sizeof *c->at, compare);
	for (uint32_t i = 0; i < c->count; i++)
		if (!i || c->at[i] != c->at[i - 1])
			c->at[kept++] = c->at[i];
	c->count = kept;
}

static void link_edge(struct lp_txn_order *o, uint32_t from, uint32_t to, uint32_t decision)
{
	const struct lp_txn_added new = { from, to, decision, o->out[from], NONE, o->in[to], NONE };
	uint32_t e = o->added.count;

	if (o->free.count) {
		e = o->free.at[--o->free.count];
		o->added.at[e] = new;
	} else {
		LP_PUSH(&o->added, new);
	}
	if (o->out[from] != NONE)
		o->added.at[o->out[from]].prev_out = e;
	if (o->in[to] != NONE)
		o->added.at[o->in[to]].prev_in = e;
	o->out[from] = o->in[to] = e;
	if (decision)
		LP_PUSH(&o->trail, e);
}

bool lp_txn_order_add(struct lp_txn_order *o, uint32_t from, uint32_t to, uint32_t decision)
{
	o->steps++;
	if (o->place[from] > o->place[to]) {
		if (!look_forward(o, to, o->place[from])) {
			take_conflict(o, from);
			return false;
		}
		look_backward(o, from, o->place[to]);
		rearrange(o);
	}
	link_edge(o, from, to, decision);
	return true;
}

static void unlink_edge(struct lp_txn_order *o, uint32_t e)
{
	const struct lp_txn_added a = o->added.at[e];

	*(a.prev_out == NONE ? &o->out[a.from] : &o->added.at[a.prev_out].next_out) = a.next_out;
	*(a.prev_in == NONE ? &o->in[a.to] : &o->added.at[a.prev_in].next_in) = a.next_in;
	if (a.next_out != NONE)
		o->added.at[a.next_out].prev_out = a.prev_out;
	if (a.next_in != NONE)
		o->added.at[a.next_in].prev_in = a.prev_in;
}

void lp_txn_order_undo(struct lp_txn_order *o, uint32_t decision)
{
	while (o->trail.count && o->added.at[LP_LAST(&o->trail)].decision >= decision) {
		const uint32_t e = o->trail.at[--o->trail.count];
		unlink_edge(o, e);
		LP_PUSH(&o->free, e);
	}
}
