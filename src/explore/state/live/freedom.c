/* freedom.c -- decides progress properties on the graph of states.
 *
 * A cycle violates a property if it uses only certain edges, and passes through certain nodes and edges.  So all edges that it
 * must not use are left out.  If a strongly connected component of the remaining graph (components.h) contains everything through
 * which the cycle must pass, there is such a cycle.
 *
 * If it matters whose call does not return, a node is a pair of a state and a process; otherwise it
 * is a state.
 */
#include "explore/state/live/freedom.h"

#include "base/error.h"
#include "explore/state/live/components.h"
#include "explore/state/live/state_graph.h"

struct view {
	const struct lp_state_graph *g;
	enum lp_freedom freedom;
	uint32_t processes;
	bool follow;                   /* nodes have a process */
	uint32_t best, best_component; /* the best node so far; LP_NO_NODE: there is none */
};

const char *lp_freedom_name(enum lp_freedom f)
{
	static const char *const name[] = {
		[LP_ANY] = "", [LP_OBSTRUCTION_FREE] = "obstruction-free",
		[LP_LOCK_FREE] = "lock-free", [LP_WAIT_FREE] = "wait-free",
		[LP_DEADLOCK_FREE] = "deadlock-free", [LP_STARVATION_FREE] = "starvation-free",
	};
	return name[f];
}

static uint32_t state_of(const struct view *v, uint32_t node)
{
	return v->follow ? node / v->processes : node;
}

static uint32_t process_of(const struct view *v, uint32_t node)
{
	return v->follow ? node % v->processes : 0;
}

static const struct lp_state_node *state_at(const struct view *v, uint32_t node)
{
	return &v->g->nodes.at[state_of(v, node)];
}

/* The node to which the edge leads.  Returns false if the edge cannot be in the cycle. */
static bool leads(const void *closure, uint32_t node, uint64_t edge, uint32_t *to)
{
	const struct view *v = closure;
	const struct lp_state_edge *e = &v->g->edges.at[edge];
	const uint32_t process = process_of(v, node);
	const bool own = !v->follow || e->process == process;

	if ((e->flags & LP_EDGE_SPURIOUS) || ((e->flags & LP_EDGE_RETURNS) && own))
		return false;
	if (v->freedom == LP_OBSTRUCTION_FREE && !own)
		return false;
	*to = v->follow ? e->to * v->processes + lp_state_graph_name(v->g, e, process) : e->to;
	return true;
}

static void edges_of(const void *closure, uint32_t node, uint64_t *first, uint64_t *end)
{
	const struct lp_state_node *n = state_at(closure, node);

	*first = n->first;
	*end = n->first + n->count;
}

/* ---- components ---- */

/* The things that occur in a component. */
struct occurs {
	bool edge, own;
	uint32_t steps, idle, owes; /* bits of processes: some edge is a step of the process; in
	                             * some state the process is idle, or owes a return */
};

static void look_at(const struct view *v, const struct lp_components *c, uint32_t node, uint32_t component,
		    struct occurs *o)
{
	const struct lp_state_node *n = state_at(v, node);
	uint32_t to;

	o->idle |= ~(uint32_t)n->busy;
	o->owes |= n->owes;
	for (uint32_t i = n->first; i < n->first + n->count; i++) {
		const struct lp_state_edge *e = &v->g->edges.at[i];
		if (!leads(v, node, i, &to) || !lp_component_has(c, component, to))
			continue;
		o->edge = true;
		o->own |= e->process == process_of(v, node);
		o->steps |= UINT32_C(1) << e->process;
	}
}

static bool is_bad(const struct view *v, const struct occurs *o, uint32_t node)
{
	const uint32_t all = (UINT32_C(1) << v->processes) - 1;
	const uint32_t process = UINT32_C(1) << process_of(v, node);

	switch (v->freedom) {
	case LP_OBSTRUCTION_FREE:
	case LP_LOCK_FREE:
		return o->edge;
	case LP_WAIT_FREE:
		return o->own;
	case LP_DEADLOCK_FREE:
		return o->edge && o->owes && ((o->steps | o->idle) & all) == all;
	case LP_STARVATION_FREE:
		return o->edge && (o->owes & process) && ((o->steps | o->idle) & all) == all;
	case LP_ANY:
		break;
	}
	return false;
}

static void meet_component(void *closure, const struct lp_components *c, const uint32_t *nodes, uint32_t count)
{
	struct view *v = closure;
	LP_HOLDS(count);
	const uint32_t component = c->low[nodes[0]];
	struct occurs o = { .edge = false };
	uint32_t least = nodes[0];

	for (uint32_t i = 0; i < count; i++) {
		least = nodes[i] < least ? nodes[i] : least;
		look_at(v, c, nodes[i], component, &o);
	}
	if (least < v->best && is_bad(v, &o, nodes[0])) {
		v->best = least;
		v->best_component = component;
	}
}

/* ---- the cycle ---- */

/* The next aim of the path: an edge of the process, or a node with some property. */
enum { AN_EDGE_OF, AN_EDGE_TO, IDLE_AT, OWING_AT, THE_NODE };

static bool is_there(const struct lp_aim *aim, uint32_t node)
{
	const struct view *v = aim->closure;
	const struct lp_state_node *n = state_at(v, node);

	switch (aim->what >> 8) {
	case IDLE_AT:
		return !(n->busy >> (aim->what & 0xff) & 1);
	case OWING_AT:
		return v->follow ? n->owes >> process_of(v, node) & 1 : n->owes != 0;
	case THE_NODE:
		return node == aim->node;
	default:
		return false;
	}
}

static bool is_through(const struct lp_aim *aim, uint32_t node, uint64_t edge, uint32_t to)
{
	const struct view *v = aim->closure;

	if (aim->what >> 8 == AN_EDGE_OF)
		return v->g->edges.at[edge].process ==
		       (v->freedom == LP_WAIT_FREE ? process_of(v, node) : (aim->what & 0xff));
	return aim->what >> 8 == AN_EDGE_TO && to == aim->node;
}

static struct lp_aim aim_at(const struct view *v, uint32_t what, uint32_t process)
{
	return (struct lp_aim){ v, is_there, is_through, what << 8 | process, v->best };
}

/* Does the process step, or is it idle, in the part of the cycle found so far? */
static bool is_served(const struct view *v, uint32_t process, const struct lp_lasso *l)
{
	uint32_t state = l->state;

	for (uint32_t i = 0; i < l->edges.count; i++) {
		const struct lp_state_edge *e = &v->g->edges.at[l->edges.at[i]];
		if (e->process == process || !(v->g->nodes.at[state].busy >> process & 1))
			return true;
		state = e->to;
	}
	return !(v->g->nodes.at[state].busy >> process & 1);
}

static bool steps_inside(const struct view *v, const struct lp_components *c, uint32_t process)
{
	struct occurs o = { .edge = false };

	for (uint32_t node = 0; node < c->g->nodes; node++)
		if (lp_component_has(c, v->best_component, node))
			look_at(v, c, node, v->best_component, &o);
	return o.steps >> process & 1;
}

/* Do the edges form a path from the state back to it? */
static bool is_cycle(const struct lp_state_graph *g, const struct lp_lasso *l)
{
	uint32_t state = l->state;

	for (uint32_t i = 0; i < l->edges.count; i++) {
		const struct lp_state_node *n = &g->nodes.at[state];
		if (l->edges.at[i] < n->first || l->edges.at[i] - n->first >= n->count)
			return false;
		state = g->edges.at[l->edges.at[i]].to;
	}
	return l->edges.count && state == l->state;
}
static void make_lasso(struct view *v, const struct lp_components *c, struct lp_lasso *out)
{
	struct lp_routes ways;
	uint32_t at = v->best;
	struct lp_aim aim = aim_at(v, v->freedom == LP_WAIT_FREE ? AN_EDGE_OF : AN_EDGE_TO, 0);

	lp_routes_open(&ways, c->g);
	out->state = state_of(v, v->best);
	out->process = process_of(v, v->best);
	if (lp_freedom_is_fair(v->freedom))
		aim = aim_at(v, OWING_AT, 0);
	at = lp_routes_go(&ways, c, v->best_component, at, &aim, &out->edges);
	for (uint32_t p = 0; lp_freedom_is_fair(v->freedom) && p < v->processes; p++) {
		if (is_served(v, p, out))
			continue;
		aim = aim_at(v, steps_inside(v, c, p) ? AN_EDGE_OF : IDLE_AT, p);
		at = lp_routes_go(&ways, c, v->best_component, at, &aim, &out->edges);
	}
	aim = aim_at(v, THE_NODE, 0);
	lp_routes_go(&ways, c, v->best_component, at, &aim, &out->edges);
	if (!v->follow)
		out->process = v->g->edges.at[out->edges.at[0]].process;
	LP_VALID(is_cycle(v->g, out));
	lp_routes_close(&ways);
}

enum lp_freedom_answer lp_freedom_decide(const struct lp_state_graph *g, enum lp_freedom freedom,
					 uint32_t processes, bool (*go_on)(void *closure),
					 void *closure, struct lp_lasso *out)
{
	struct view v = { .g = g, .freedom = freedom, .processes = processes, .best = LP_NO_NODE };
	struct lp_digraph graph = { .closure = &v, .edges = edges_of, .leads = leads };
	struct lp_components c = { .g = &graph, .met = meet_component, .closure = &v };

	*out = (struct lp_lasso){ 0 };
	v.follow = freedom != LP_LOCK_FREE && freedom != LP_DEADLOCK_FREE;
	const uint64_t count = (uint64_t)g->nodes.count * (v.follow ? processes : 1);
	if (count >= LP_NO_NODE)
		return LP_FREE_UNKNOWN;
	graph.nodes = (uint32_t)count;
	const bool finished = lp_components_find(&c, go_on, closure);
	if (v.best != LP_NO_NODE)
		make_lasso(&v, &c, out);
	lp_components_close(&c);
	return v.best != LP_NO_NODE ? LP_NOT_FREE : finished ? LP_FREE : LP_FREE_UNKNOWN;
}

void lp_lasso_close(struct lp_lasso *l)
{
	lp_free(l->edges.at);
	lp_free(l->stem.at);
	*l = (struct lp_lasso){ 0 };
}
