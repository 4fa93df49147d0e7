/* components.h -- strongly connected components of a directed graph, and shortest paths in them.
 *
 * The caller describes the graph by two functions.  edges() sets the range of numbers that the edges of a node have.  leads()
 * sets the node to which an edge leads; it returns false if the graph has no edge with that number.  After Tarjan, "Depth-first
 * search and linear graph algorithms", 1972, but without recursion.
 */
#ifndef LP_EXPLORE_STATE_LIVE_COMPONENTS_H
#define LP_EXPLORE_STATE_LIVE_COMPONENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

#define LP_NO_NODE UINT32_MAX

struct lp_digraph {
	const void *closure;
	uint32_t nodes;
	/* The edges of the node have the numbers `*first` to `*end` - 1. */
	void (*edges)(const void *closure, uint32_t node, uint64_t *first, uint64_t *end);
	bool (*leads)(const void *closure, uint32_t node, uint64_t edge, uint32_t *to);
};

struct lp_component_cursor {
	uint32_t node;
	uint64_t edge, end; /* the next edge to examine; the end of the node's edges */
};

struct lp_components {
	const struct lp_digraph *g;
	uint32_t *order, *low; /* by node: the numbers of Tarjan's algorithm; when the node's component is known, `order` is
	                        * LP_NO_NODE, and `low` is the component */
	struct { LP_VEC(uint32_t); } stack;
	struct { LP_VEC(struct lp_component_cursor); } path;
	uint32_t next, count;
	/* Called for each component when its nodes are known. */
	void (*met)(void *closure, const struct lp_components *, const uint32_t *nodes, uint32_t count);
	void *closure;
};

/* Finds all components.  Returns false if `go_on`, which is called from time to time and may be NULL, has returned false
 * before the end. */
bool lp_components_find(struct lp_components *, bool (*go_on)(void *closure), void *closure);
void lp_components_close(struct lp_components *);

static inline bool lp_component_has(const struct lp_components *c, uint32_t component, uint32_t node)
{
	return c->order[node] == LP_NO_NODE && c->low[node] == component;
}

/* What a path must reach: a node for which at() is true, or an edge for which through() is true. */
struct lp_aim {
	const void *closure;
	bool (*at)(const struct lp_aim *, uint32_t node);
	bool (*through)(const struct lp_aim *, uint32_t node, uint64_t edge, uint32_t to);
	uint32_t what, node; /* arguments for at() and through() */
};

struct lp_way_edges {
	LP_VEC(uint64_t);
};

/* The memory of a search for paths in a graph. */
struct lp_routes {
	struct { LP_VEC(uint32_t); } queue;
	uint64_t *via;  /* by node: 1 + the edge on which the search has reached it */
	uint32_t *from; /* by node: the node from which this edge leads to it */
};

void lp_routes_open(struct lp_routes *, const struct lp_digraph *);
void lp_routes_close(struct lp_routes *);
/* Appends the shortest path within the component from `begin` to the aim, and returns the node at which the path ends.  If
 * the component contains no such node or edge, appends nothing and returns `begin`. */
uint32_t lp_routes_go(struct lp_routes *, const struct lp_components *, uint32_t component, uint32_t begin, const struct lp_aim *,
		    struct lp_way_edges *out);

#endif
