/* test_components.c -- strongly connected components and shortest ways, on random graphs, against reachability by squaring. */
#include "explore/state/live/components.h"

#include <string.h>

#include "base/alloc.h"
#include "explore/sample/rng.h"

#include "../../../../expect.h"

enum { NODES = 9, EDGES = 20, RUNS = 3000 };

struct graph {
	uint32_t nodes;
	uint32_t first[NODES + 1], to[EDGES]; /* to: LP_NO_NODE, an edge that leads nowhere */
};

static void edges_of(const void *closure, uint32_t node, uint64_t *first, uint64_t *end)
{
	const struct graph *g = closure;

	*first = g->first[node];
	*end = g->first[node + 1];
}

static bool leads(const void *closure, uint32_t node, uint64_t edge, uint32_t *to)
{
	const struct graph *g = closure;

	(void)node;
	*to = g->to[edge];
	return *to != LP_NO_NODE;
}

static void make(struct graph *g, struct lp_rng *r)
{
	uint32_t edges = 0;

	g->nodes = 1 + lp_rng_below(r, NODES);
	for (uint32_t n = 0; n < g->nodes; n++) {
		g->first[n] = edges;
		for (uint32_t i = lp_rng_below(r, 4); i-- > 0 && edges < EDGES;)
			g->to[edges++] = lp_rng_below(r, 8) ? lp_rng_below(r, g->nodes) : LP_NO_NODE;
	}
	g->first[g->nodes] = edges;
}

/* steps[a][b]: the fewest edges from a to b; 0 if a is b, UINT32_MAX if there is no way. */
static void measure(const struct graph *g, uint32_t steps[NODES][NODES])
{
	for (uint32_t a = 0; a < g->nodes; a++)
		for (uint32_t b = 0; b < g->nodes; b++)
			steps[a][b] = a == b ? 0 : UINT32_MAX;
	for (uint32_t a = 0; a < g->nodes; a++)
		for (uint32_t e = g->first[a]; e < g->first[a + 1]; e++)
			if (g->to[e] != LP_NO_NODE && g->to[e] != a)
				steps[a][g->to[e]] = 1;
	for (uint32_t via = 0; via < g->nodes; via++)
		for (uint32_t a = 0; a < g->nodes; a++)
			for (uint32_t b = 0; b < g->nodes; b++)
				if (steps[a][via] != UINT32_MAX && steps[via][b] != UINT32_MAX && steps[a][via] + steps[via][b] < steps[a][b])
					steps[a][b] = steps[a][via] + steps[via][b];
}

struct met {
	uint32_t times[NODES], components;
};

static void meet(void *closure, const struct lp_components *c, const uint32_t *nodes, uint32_t count)
{
	struct met *m = closure;

	(void)c;
	m->components++;
	for (uint32_t i = 0; i < count; i++)
		m->times[nodes[i]]++;
}

static bool is_node(const struct lp_aim *aim, uint32_t node)
{
	return node == aim->node;
}

/* From a to b, which are in one component. */
static void test_way(const struct graph *g, const struct lp_digraph *d, const struct lp_components *c, uint32_t a, uint32_t b,
		     uint32_t least)
{
	const struct lp_aim aim = { .at = is_node, .node = b };
	struct lp_way_edges way = { 0 };
	struct lp_routes routes;
	uint32_t at = a;

	lp_routes_open(&routes, d);
	EXPECT(lp_routes_go(&routes, c, c->low[a], a, &aim, &way) == b);
	for (uint32_t i = 0; i < way.count; i++) {
		EXPECT(way.at[i] >= g->first[at] && way.at[i] < g->first[at + 1]);
		at = g->to[way.at[i]];
	}
	EXPECT(at == b && way.count == least, "%u edges instead of %u", way.count, least);
	lp_free(way.at);
	lp_routes_close(&routes);
}

static void test_graph(struct lp_rng *r)
{
	uint32_t steps[NODES][NODES], alone = 0;
	struct graph g;
	struct met met = { { 0 }, 0 };

	make(&g, r);
	measure(&g, steps);
	const struct lp_digraph d = { .closure = &g, .nodes = g.nodes, .edges = edges_of, .leads = leads };
	struct lp_components c = { .g = &d, .met = meet, .closure = &met };
	EXPECT(lp_components_find(&c, NULL, NULL));
	for (uint32_t a = 0; a < g.nodes; a++) {
		bool first = true;
		EXPECT(met.times[a] == 1);
		for (uint32_t b = 0; b < g.nodes; b++) {
			const bool together = steps[a][b] != UINT32_MAX && steps[b][a] != UINT32_MAX;
			EXPECT(lp_component_has(&c, c.low[a], b) == together);
			first &= !together || b >= a;
			if (together && a != b)
				test_way(&g, &d, &c, a, b, steps[a][b]);
		}
		alone += first;
	}
	EXPECT(c.count == alone && met.components == alone);
	lp_components_close(&c);
}

int main(void)
{
	struct lp_rng r = { 34 };

	for (uint32_t i = 0; i < RUNS; i++)
		test_graph(&r);
	return expect_status();
}
