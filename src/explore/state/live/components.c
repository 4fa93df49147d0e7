/* components.c -- strongly connected components, and shortest paths in them. */
#include "explore/state/live/components.h"

#include "base/alloc.h"
#include "base/error.h"

/* The component of `root` is complete: takes it from the stack. */
static void take_component(struct lp_components *c, uint32_t root)
{
	LP_HOLDS(c->stack.count && c->low[root] == c->order[root]);
	const uint32_t component = c->count++;
	uint32_t first = c->stack.count;

	do {
		const uint32_t node = c->stack.at[--first];
		c->order[node] = LP_NO_NODE;
		c->low[node] = component;
	} while (c->stack.at[first] != root);
	c->met(c->closure, c, c->stack.at + first, c->stack.count - first);
	c->stack.count = first;
}

static void enter(struct lp_components *c, uint32_t node)
{
	struct lp_component_cursor cursor = { .node = node };

	LP_HOLDS(node < c->g->nodes && !c->order[node]);
	c->order[node] = c->low[node] = ++c->next;
	LP_PUSH(&c->stack, node);
	c->g->edges(c->g->closure, node, &cursor.edge, &cursor.end);
	LP_PUSH(&c->path, cursor);
}

/* Goes on from the last node of the path. */
static void advance(struct lp_components *c)
{
	struct lp_component_cursor *last = &LP_LAST(&c->path);
	const uint32_t node = last->node;
	uint32_t to;

	while (last->edge < last->end) {
		if (!c->g->leads(c->g->closure, node, last->edge++, &to) || c->order[to] == LP_NO_NODE)
			continue;
		if (!c->order[to]) {
			enter(c, to);
			return;
		}
		if (c->order[to] < c->low[node])
			c->low[node] = c->order[to];
	}
	LP_HOLDS(c->low[node] && c->low[node] <= c->order[node]);
	c->path.count--;
	if (c->path.count && c->low[node] < c->low[LP_LAST(&c->path).node])
		c->low[LP_LAST(&c->path).node] = c->low[node];
	if (c->low[node] == c->order[node])
		take_component(c, node);
}

bool lp_components_find(struct lp_components *c, bool (*go_on)(void *closure), void *closure)
{
	c->order = lp_alloc_zero(c->g->nodes, sizeof *c->order);
	c->low = lp_alloc_zero(c->g->nodes, sizeof *c->low);
	for (uint32_t node = 0; node < c->g->nodes; node++) {
		if (c->order[node])
			continue;
		if (go_on && node % 4096 == 0 && !go_on(closure))
			return false;
		enter(c, node);
		while (c->path.count)
			advance(c);
	}
	return true;
}

void lp_components_close(struct lp_components *c)
{
	lp_free(c->order);
	lp_free(c->low);
	lp_free(c->stack.at);
	lp_free(c->path.at);
	c->order = c->low = NULL;
	c->stack.at = NULL;
	c->path.at = NULL;
	c->stack.count = c->stack.room = c->path.count = c->path.room = c->next = c->count = 0;
}

/* ---- ways ---- */

void lp_routes_open(struct lp_routes *w, const struct lp_digraph *g)
{
	*w = (struct lp_routes){ .via = lp_alloc_zero(g->nodes, sizeof *w->via),
			       .from = lp_alloc_zero(g->nodes, sizeof *w->from) };
}

void lp_routes_close(struct lp_routes *w)
{
	lp_free(w->queue.at);
	lp_free(w->via);
	lp_free(w->from);
	*w = (struct lp_routes){ 0 };
}

/* Appends the path from `begin` to `end`, and then the edge `last`, if there is one. */
static void append(const struct lp_routes *w, uint32_t begin, uint32_t end, uint64_t last, struct lp_way_edges *out)
{
	const uint32_t mark = out->count;

	if (last != UINT64_MAX)
		LP_PUSH(out, last);
	for (uint32_t node = end; node != begin; node = w->from[node]) {
		LP_HOLDS(w->via[node]);
		LP_PUSH(out, w->via[node] - 1);
	}
	for (uint32_t i = mark, j = out->count; i + 1 < j; i++) {
		const uint64_t other = out->at[--j];
		out->at[j] = out->at[i];
		out->at[i] = other;
	}
}

uint32_t lp_routes_go(struct lp_routes *w, const struct lp_components *c, uint32_t component, uint32_t begin,
		    const struct lp_aim *aim, struct lp_way_edges *out)
{
	uint64_t edge, end;
	uint32_t to;

	LP_HOLDS(lp_component_has(c, component, begin));
	if (aim->at && aim->at(aim, begin))
		return begin;
	for (uint32_t i = 0; i < w->queue.count; i++)
		w->via[w->queue.at[i]] = 0;
	w->queue.count = 0;
	LP_PUSH(&w->queue, begin);
	for (uint32_t next = 0; next < w->queue.count; next++) {
		const uint32_t node = w->queue.at[next];
		for (c->g->edges(c->g->closure, node, &edge, &end); edge < end; edge++) {
			if (!c->g->leads(c->g->closure, node, edge, &to) || !lp_component_has(c, component, to))
				continue;
			if (aim->through && aim->through(aim, node, edge, to)) {
				append(w, begin, node, edge, out);
				return to;
			}
			if (to == begin || w->via[to])
				continue;
			w->via[to] = edge + 1;
			w->from[to] = node;
			LP_PUSH(&w->queue, to);
			if (aim->at && aim->at(aim, to)) {
				append(w, begin, to, UINT64_MAX, out);
				return to;
			}
		}
	}
	return begin;
}
