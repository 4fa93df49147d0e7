/* freedom.c -- do calls return? (freedom.h)
 *
 * The contrary of a property is a cycle of certain edges in which certain things occur.  So
 * edges that must not be in it are left out, and every strongly connected component of the
 * rest is asked whether these things occur in it (Tarjan, 1972; no recursion): if they do,
 * there is a cycle that goes by all of them.
 *
 * Where it matters whose call does not return, a node is a state and a process in it; where
 * not, a state.
 */
#include "explore/state/freedom.h"

#include "explore/state/state_graph.h"

#define DONE UINT32_MAX

struct cursor {
	uint32_t node, edge; /* the next one to look at */
};

struct view {
	const struct lp_state_graph *g;
	enum lp_freedom freedom;
	uint32_t processes;
	bool follow;             /* nodes have a process */
	uint32_t count;          /* nodes */
	uint32_t *order, *low;   /* by node: Tarjan's; if DONE, `low` is its component */
	struct { LP_VEC(uint32_t); } stack;
	struct { LP_VEC(struct cursor); } path;
	uint32_t next, components;
	uint32_t best, best_component; /* a node; DONE: there is none so far */
	/* For ways within a component: how a node was come to. */
	struct { LP_VEC(uint32_t); } queue;
	uint32_t *via; /* by node: 1 + edge */
	uint32_t *from;
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

/* Where the edge leads from the node; false if it cannot be in the cycle. */
static bool leads(const struct view *v, uint32_t node, const struct lp_state_edge *e, uint32_t *to)
{
	const uint32_t process = process_of(v, node);
	const bool own = !v->follow || e->process == process;

	if ((e->flags & LP_EDGE_SPURIOUS) || ((e->flags & LP_EDGE_RETURNS) && own))
		return false;
	if (v->freedom == LP_OBSTRUCTION_FREE && !own)
		return false;
	*to = v->follow ? e->to * v->processes + lp_state_graph_name(v->g, e, process) : e->to;
	return true;
}

/* ---- components ---- */

static bool is_inside(const struct view *v, uint32_t node, uint32_t component)
{
	return v->order[node] == DONE && v->low[node] == component;
}

/* What occurs in the component. */
struct occurs {
	bool edge, own;
	uint32_t steps, idle, owes; /* by process: some edge is its; in some state it is so */
};

static void look_at(const struct view *v, uint32_t node, uint32_t component, struct occurs *o)
{
	const struct lp_state_node *n = state_at(v, node);
	uint32_t to;

	o->idle |= ~(uint32_t)n->busy;
	o->owes |= n->owes;
	for (uint32_t i = n->first; i < n->first + n->count; i++) {
		const struct lp_state_edge *e = &v->g->edges.at[i];
		if (!leads(v, node, e, &to) || !is_inside(v, to, component))
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

/* The component of `root`, complete, is taken from the stack. */
static void take_component(struct view *v, uint32_t root)
{
	const uint32_t component = v->components++;
	uint32_t first = v->stack.count, least = root;
	struct occurs o = { .edge = false };

	do {
		const uint32_t node = v->stack.at[--first];
		v->order[node] = DONE;
		v->low[node] = component;
		least = node < least ? node : least;
	} while (v->stack.at[first] != root);
	for (uint32_t i = first; i < v->stack.count; i++)
		look_at(v, v->stack.at[i], component, &o);
	v->stack.count = first;
	if (least < v->best && is_bad(v, &o, root)) {
		v->best = least;
		v->best_component = component;
	}
}

static void enter(struct view *v, uint32_t node)
{
	v->order[node] = v->low[node] = ++v->next;
	LP_PUSH(&v->stack, node);
	LP_PUSH(&v->path, ((struct cursor){ node, state_at(v, node)->first }));
}

/* Goes on from the last node of the path. */
static void advance(struct view *v)
{
	struct cursor *c = &LP_LAST(&v->path);
	const struct lp_state_node *n = state_at(v, c->node);
	const uint32_t node = c->node;
	uint32_t to;

	while (c->edge < n->first + n->count) {
		const struct lp_state_edge *e = &v->g->edges.at[c->edge++];
		if (!leads(v, node, e, &to) || v->order[to] == DONE)
			continue;
		if (!v->order[to]) {
			enter(v, to);
			return;
		}
		if (v->order[to] < v->low[node])
			v->low[node] = v->order[to];
	}
	v->path.count--;
	if (v->path.count && v->low[node] < v->low[LP_LAST(&v->path).node])
		v->low[LP_LAST(&v->path).node] = v->low[node];
	if (v->low[node] == v->order[node])
		take_component(v, node);
}

static bool find_components(struct view *v, bool (*go_on)(void *), void *closure)
{
	for (uint32_t node = 0; node < v->count; node++) {
		if (v->order[node])
			continue;
		if (go_on && node % 4096 == 0 && !go_on(closure))
			return false;
		enter(v, node);
		while (v->path.count)
			advance(v);
	}
	return true;
}

/* ---- the cycle ---- */

/* What the way is to come by next. */
struct aim {
	enum { AN_EDGE_OF, AN_EDGE_TO, IDLE_AT, OWING_AT, THE_NODE } what;
	uint32_t process, node;
};

static bool is_there(const struct view *v, const struct aim *aim, uint32_t node)
{
	const struct lp_state_node *n = state_at(v, node);

	switch (aim->what) {
	case IDLE_AT:
		return !(n->busy >> aim->process & 1);
	case OWING_AT:
		return v->follow ? n->owes >> process_of(v, node) & 1 : n->owes != 0;
	case THE_NODE:
		return node == aim->node;
	case AN_EDGE_OF:
	case AN_EDGE_TO:
		break;
	}
	return false;
}

static bool is_through(const struct view *v, const struct aim *aim, uint32_t node,
		       const struct lp_state_edge *e, uint32_t to)
{
	if (aim->what == AN_EDGE_OF)
		return e->process == (v->freedom == LP_WAIT_FREE ? process_of(v, node) : aim->process);
	return aim->what == AN_EDGE_TO && to == aim->node;
}

/* Appends the way from `begin` to `end`, the last edge of which is `last`, if it has one. */
static void append_way(const struct view *v, struct lp_lasso *out, uint32_t begin, uint32_t end,
		       uint32_t last)
{
	const uint32_t mark = out->edges.count;

	if (last != DONE)
		LP_PUSH(&out->edges, last);
	for (uint32_t node = end; node != begin; node = v->from[node])
		LP_PUSH(&out->edges, v->via[node] - 1);
	for (uint32_t i = mark, j = out->edges.count; i + 1 < j; i++) {
		const uint32_t other = out->edges.at[--j];
		out->edges.at[j] = out->edges.at[i];
		out->edges.at[i] = other;
	}
}

/* Takes the shortest way to the aim, within the component; returns where it ends.  In a
 * component everything that occurs can be come to. */
static uint32_t go_to(struct view *v, uint32_t begin, const struct aim *aim, struct lp_lasso *out)
{
	uint32_t to;

	if (is_there(v, aim, begin))
		return begin;
	for (uint32_t i = 0; i < v->queue.count; i++)
		v->via[v->queue.at[i]] = 0;
	v->queue.count = 0;
	LP_PUSH(&v->queue, begin);
	for (uint32_t at = 0; at < v->queue.count; at++) {
		const uint32_t node = v->queue.at[at];
		const struct lp_state_node *n = state_at(v, node);
		for (uint32_t i = n->first; i < n->first + n->count; i++) {
			const struct lp_state_edge *e = &v->g->edges.at[i];
			if (!leads(v, node, e, &to) || !is_inside(v, to, v->best_component))
				continue;
			if (is_through(v, aim, node, e, to)) {
				append_way(v, out, begin, node, i);
				return to;
			}
			if (to == begin || v->via[to])
				continue;
			v->via[to] = i + 1;
			v->from[to] = node;
			LP_PUSH(&v->queue, to);
			if (is_there(v, aim, to)) {
				append_way(v, out, begin, to, DONE);
				return to;
			}
		}
	}
	return begin;
}

/* Does the process step, or is it idle, in what there is of the cycle? */
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

static bool steps_inside(const struct view *v, uint32_t process)
{
	struct occurs o = { .edge = false };

	for (uint32_t node = 0; node < v->count; node++)
		if (is_inside(v, node, v->best_component))
			look_at(v, node, v->best_component, &o);
	return o.steps >> process & 1;
}

static void make_lasso(struct view *v, struct lp_lasso *out)
{
	uint32_t at = v->best;
	struct aim aim = { .what = v->freedom == LP_WAIT_FREE ? AN_EDGE_OF : AN_EDGE_TO,
			   .node = v->best };

	v->via = lp_alloc_zero(v->count, sizeof *v->via);
	v->from = lp_alloc_zero(v->count, sizeof *v->from);
	out->state = state_of(v, v->best);
	out->process = process_of(v, v->best);
	if (!lp_freedom_is_fair(v->freedom)) {
		at = go_to(v, at, &aim, out);
	} else {
		aim.what = OWING_AT;
		at = go_to(v, at, &aim, out);
		for (uint32_t p = 0; p < v->processes; p++) {
			if (is_served(v, p, out))
				continue;
			aim = (struct aim){ steps_inside(v, p) ? AN_EDGE_OF : IDLE_AT, p, 0 };
			at = go_to(v, at, &aim, out);
		}
	}
	aim = (struct aim){ .what = THE_NODE, .node = v->best };
	go_to(v, at, &aim, out);
	if (!v->follow)
		out->process = v->g->edges.at[out->edges.at[0]].process;
	lp_free(v->via);
	lp_free(v->from);
	lp_free(v->queue.at);
}

enum lp_freedom_answer lp_freedom_decide(const struct lp_state_graph *g, enum lp_freedom freedom,
					 uint32_t processes, bool (*go_on)(void *closure),
					 void *closure, struct lp_lasso *out)
{
	struct view v = { .g = g, .freedom = freedom, .processes = processes, .best = DONE };

	*out = (struct lp_lasso){ 0 };
	v.follow = freedom != LP_LOCK_FREE && freedom != LP_DEADLOCK_FREE;
	const uint64_t count = (uint64_t)g->nodes.count * (v.follow ? processes : 1);
	if (count >= DONE)
		return LP_FREE_UNKNOWN;
	v.count = (uint32_t)count;
	v.order = lp_alloc_zero(v.count, sizeof *v.order);
	v.low = lp_alloc_zero(v.count, sizeof *v.low);
	const bool finished = find_components(&v, go_on, closure);
	if (v.best != DONE)
		make_lasso(&v, out);
	lp_free(v.order);
	lp_free(v.low);
	lp_free(v.stack.at);
	lp_free(v.path.at);
	return v.best != DONE ? LP_NOT_FREE : finished ? LP_FREE : LP_FREE_UNKNOWN;
}

void lp_lasso_close(struct lp_lasso *l)
{
	lp_free(l->edges.at);
	*l = (struct lp_lasso){ 0 };
}
