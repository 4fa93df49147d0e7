/* runs.c -- decides on the graph of states whether a formula holds on every run.
 *
 * A node is a pair of a state of the graph and a state of the automaton.  In the node the automaton has read all letters up
 * to that of the graph's state, inclusive.  Edge number e * widest + k is the k-th edge of the automaton along edge e of the graph.
 */
#include "explore/state/live/runs.h"

#include "base/error.h"
#include "explore/state/live/state_graph.h"
#include "ltl/ltl_word.h"

struct product {
	const struct lp_state_graph *g;
	const struct lp_state_runs *r;
	const struct lp_ltl_automaton *a;
	uint32_t processes;
	bool cycles; /* only edges that may be in a cycle count */
	uint64_t *via;  /* by node: 1 + the edge by which it was reached; UINT64_MAX: a run begins there; 0: it is not reached */
	uint32_t *from;
	bool *removed;  /* by node: it is in no cycle that counts */
	bool again;     /* nodes were removed, so the rest must be decomposed once more */
	uint32_t best, best_component;
};

static uint32_t state_of(const struct product *p, uint32_t node)
{
	return node / p->a->states;
}

static const struct lp_state_node *state_at(const struct product *p, uint32_t node)
{
	return &p->g->nodes.at[state_of(p, node)];
}

/* The processes that must not be passed over there: those that can take a step, and those at an assumption that does not hold
 * now.  These stop if they continue now, but the assumption may hold later. */
static uint32_t eager_at(const struct product *p, uint32_t node)
{
	return (uint32_t)state_at(p, node)->able | state_at(p, node)->barred;
}

static const struct lp_state_edge *edge_at(const struct product *p, uint64_t edge)
{
	return &p->g->edges.at[edge / p->a->widest];
}

static uint32_t letter_of(const struct product *p, uint64_t edge)
{
	return p->g->events.at[edge / p->a->widest] | p->g->nodes.at[edge_at(p, edge)->to].atoms;
}

static const struct lp_ltl_edge *move_of(const struct product *p, uint32_t node, uint64_t edge)
{
	const uint32_t q = node % p->a->states, first = p->a->first.at[q];
	LP_HOLDS(edge / p->a->widest < p->g->edges.count);
	const uint32_t k = first + (uint32_t)(edge % p->a->widest);

	return k < p->a->first.at[q + 1] ? &p->a->edges.at[k] : NULL;
}

static void edges_of(const void *closure, uint32_t node, uint64_t *first, uint64_t *end)
{
	const struct product *p = closure;
	const struct lp_state_node *n = state_at(p, node);

	*first = (uint64_t)n->first * p->a->widest;
	*end = ((uint64_t)n->first + n->count) * p->a->widest;
	if (p->cycles && (!p->via[node] || p->removed[node]))
		*end = *first;
}

static bool leads(const void *closure, uint32_t node, uint64_t edge, uint32_t *to)
{
	const struct product *p = closure;
	const struct lp_ltl_edge *move = move_of(p, node, edge);

	if (!move || !lp_ltl_edge_reads(move, letter_of(p, edge)))
		return false;
	*to = edge_at(p, edge)->to * p->a->states + move->to;
	return !p->cycles || !(p->removed[*to] || edge_at(p, edge)->flags & LP_EDGE_SPURIOUS);
}

/* ---- what occurs in a part of the graph ---- */

struct occurs {
	bool edge;
	uint32_t met;   /* untils that some edge does not postpone */
	uint32_t steps; /* the processes that take a step on some edge */
	uint32_t rests; /* the processes that are not eager in some state */
	uint32_t eager; /* the processes that are eager in some state */
};

static void look_at_node(const struct product *p, uint32_t node, struct occurs *o)
{
	o->eager |= eager_at(p, node);
	o->rests |= ~eager_at(p, node);
}

static void look_at_edge(const struct product *p, uint32_t node, uint64_t edge, struct occurs *o)
{
	const struct lp_state_edge *e = edge_at(p, edge);

	o->edge = true;
	o->met |= ~move_of(p, node, edge)->postpones;
	if (!(e->flags & LP_EDGE_STAYS))
		o->steps |= UINT32_C(1) << e->process;
}

static uint32_t first_bits(uint32_t count)
{
	return count >= 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

/* The processes that are passed over here, which a fair run does not do. */
static uint32_t passed_over(const struct product *p, const struct occurs *o)
{
	const uint32_t all = first_bits(p->processes);

	switch (p->r->fairness) {
	case LP_UNFAIR:
		break;
	case LP_WEAKLY_FAIR:
		return all & ~(o->steps | o->rests);
	case LP_STRONGLY_FAIR:
		return all & o->eager & ~o->steps;
	}
	return 0;
}

static bool is_accepted(const struct product *p, const struct occurs *o)
{
	return o->edge && !(first_bits(p->a->untils) & ~o->met);
}

/* ---- components ---- */

static void meet_component(void *closure, const struct lp_components *c, const uint32_t *nodes, uint32_t count)
{
	struct product *p = closure;
	const uint32_t component = c->low[nodes[0]];
	struct occurs o = { .edge = false };
	uint32_t least = nodes[0], to;
	uint64_t edge, end;

	LP_HOLDS(count && lp_component_has(c, component, nodes[count - 1]));
	if (p->removed[nodes[0]])
		return;
	for (uint32_t i = 0; i < count; i++) {
		least = nodes[i] < least ? nodes[i] : least;
		look_at_node(p, nodes[i], &o);
		for (edges_of(p, nodes[i], &edge, &end); edge < end; edge++)
			if (leads(p, nodes[i], edge, &to) && lp_component_has(c, component, to))
				look_at_edge(p, nodes[i], edge, &o);
	}
	const uint32_t passed = passed_over(p, &o);
	if (is_accepted(p, &o) && !passed) {
		if (least < p->best) {
			p->best = least;
			p->best_component = component;
		}
		return;
	}
	/* If the states in which a process is eager are removed, a part may remain in which the process is not
	 * passed over. */
	const bool parts = is_accepted(p, &o) && p->r->fairness == LP_STRONGLY_FAIR;
	for (uint32_t i = 0; i < count; i++)
		p->removed[nodes[i]] = !parts || (eager_at(p, nodes[i]) & passed);
	p->again |= parts;
}

/* Marks the nodes that can be reached. */
static void reach(struct product *p, const struct lp_digraph *graph)
{
	const uint32_t letter = p->g->nodes.at[0].atoms;
	struct { LP_VEC(uint32_t); } queue = { 0 };
	uint64_t edge, end;
	uint32_t to;

	for (uint32_t e = p->a->first.at[0]; e < p->a->first.at[1]; e++)
		if (lp_ltl_edge_reads(&p->a->edges.at[e], letter) && !p->via[p->a->edges.at[e].to]) {
			p->via[p->a->edges.at[e].to] = UINT64_MAX;
			LP_PUSH(&queue, p->a->edges.at[e].to);
		}
	for (uint32_t i = 0; i < queue.count; i++) {
		const uint32_t node = queue.at[i];
		for (graph->edges(p, node, &edge, &end); edge < end; edge++) {
			if (!graph->leads(p, node, edge, &to) || p->via[to])
				continue;
			LP_HOLDS(p->via[node]); /* what is reached was reached from what is */
			p->via[to] = edge + 1;
			p->from[to] = node;
			LP_PUSH(&queue, to);
		}
	}
	lp_free(queue.at);
}

/* ---- the run ---- */

enum { MEETS, STEPS, RESTS, CLOSES };

static bool is_there(const struct lp_aim *aim, uint32_t node)
{
	const struct product *p = aim->closure;

	return aim->what >> 8 == RESTS && !(eager_at(p, node) >> (aim->what & 0xff) & 1);
}

static bool is_through(const struct lp_aim *aim, uint32_t node, uint64_t edge, uint32_t to)
{
	const struct product *p = aim->closure;
	const uint32_t number = aim->what & 0xff;

	switch (aim->what >> 8) {
	case MEETS:
		return !(move_of(p, node, edge)->postpones >> number & 1);
	case STEPS:
		return !(edge_at(p, edge)->flags & LP_EDGE_STAYS) && edge_at(p, edge)->process == number;
	default:
		return aim->what >> 8 == CLOSES && to == aim->node;
	}
}

/* The things that occur on the part of the cycle found so far. */
static struct occurs look_at_cycle(const struct product *p, const struct lp_way_edges *cycle)
{
	struct occurs o = { .edge = false };
	uint32_t node = p->best;

	look_at_node(p, node, &o);
	for (uint32_t i = 0; i < cycle->count; i++) {
		look_at_edge(p, node, cycle->at[i], &o);
		const bool goes_on = leads(p, node, cycle->at[i], &node);
		LP_HOLDS(goes_on);
		look_at_node(p, node, &o);
	}
	return o;
}

/* Extends the cycle so that no process is passed over.  Each round takes a step of such a process, or passes
 * through a state in which it is not eager. */
static uint32_t serve_all(const struct product *p, const struct lp_components *c, struct lp_routes *ways, uint32_t at,
			  struct lp_way_edges *cycle)
{
	struct lp_aim aim = { p, is_there, is_through, 0, p->best };
	struct occurs o = look_at_cycle(p, cycle);
	uint32_t passed;

	while ((passed = passed_over(p, &o))) {
		const uint32_t process = (uint32_t)__builtin_ctz(passed), before = cycle->count;
		aim.what = STEPS << 8 | process;
		at = lp_routes_go(ways, c, p->best_component, at, &aim, cycle);
		aim.what = RESTS << 8 | process;
		if (cycle->count == before)
			at = lp_routes_go(ways, c, p->best_component, at, &aim, cycle);
		o = look_at_cycle(p, cycle);
	}
	return at;
}

/* Makes a cycle from `best` through everything that must occur.  Its edges are edges of the product. */
static void make_cycle(const struct product *p, const struct lp_components *c, struct lp_way_edges *cycle)
{
	struct lp_routes ways;
	uint32_t at = p->best;
	struct lp_aim aim = { p, is_there, is_through, 0, p->best };
	struct occurs o;

	lp_routes_open(&ways, c->g);
	for (uint32_t u = 0; u < p->a->untils; u++) {
		aim.what = MEETS << 8 | u;
		if (!(look_at_cycle(p, cycle).met >> u & 1))
			at = lp_routes_go(&ways, c, p->best_component, at, &aim, cycle);
	}
	do { /* on the way back another process may become eager */
		at = serve_all(p, c, &ways, at, cycle);
		aim.what = CLOSES << 8;
		if (at != p->best || !cycle->count)
			at = lp_routes_go(&ways, c, p->best_component, at, &aim, cycle);
		o = look_at_cycle(p, cycle);
		LP_HOLDS(at == p->best && cycle->count);
	} while (passed_over(p, &o));
	lp_routes_close(&ways);
}

/* Is the formula false on this run, and does the run count?  Uses the definitions only, not the
 * automaton. */
static bool is_confirmed(const struct product *p, const struct lp_way_edges *stem, const struct lp_way_edges *cycle)
{
	struct { LP_VEC(uint32_t); } letters = { 0 };
	const struct occurs o = look_at_cycle(p, cycle);

	LP_PUSH(&letters, p->g->nodes.at[0].atoms);
	for (uint32_t i = 0; i < stem->count; i++)
		LP_PUSH(&letters, letter_of(p, stem->at[i]));
	for (uint32_t i = 0; i < cycle->count; i++)
		LP_PUSH(&letters, letter_of(p, cycle->at[i]));
	const bool good = cycle->count && !passed_over(p, &o) &&
			  !lp_ltl_holds(p->r->ltl, p->r->formula, letters.at, letters.count, 1 + stem->count);
	lp_free(letters.at);
	return good;
}

static void make_lasso(const struct product *p, const struct lp_components *c, struct lp_lasso *out)
{
	out->state = state_of(p, p->best);
	out->given = true;
	for (uint32_t node = p->best; p->via[node] != UINT64_MAX; node = p->from[node])
		LP_PUSH(&out->stem, p->via[node] - 1);
	for (uint32_t i = 0, j = out->stem.count; i + 1 < j; i++) {
		const uint64_t other = out->stem.at[--j];
		out->stem.at[j] = out->stem.at[i];
		out->stem.at[i] = other;
	}
	LP_HOLDS(p->best != LP_NO_NODE && p->via[p->best]);
	make_cycle(p, c, &out->edges);
	if (!is_confirmed(p, &out->stem, &out->edges))
		LP_BUG("the formula holds on the run that is said to violate it");
	for (uint32_t i = 0; i < out->stem.count; i++)
		out->stem.at[i] /= p->a->widest;
	for (uint32_t i = 0; i < out->edges.count; i++)
		out->edges.at[i] /= p->a->widest;
	out->process = p->g->edges.at[out->edges.at[0]].process;
}

enum lp_freedom_answer lp_runs_decide(const struct lp_state_graph *g, const struct lp_state_runs *r, uint32_t processes,
				      bool (*go_on)(void *closure), void *closure, struct lp_lasso *out)
{
	struct product p = { .g = g, .r = r, .a = r->contrary, .processes = processes, .best = LP_NO_NODE };
	struct lp_digraph graph = { .closure = &p, .edges = edges_of, .leads = leads };
	struct lp_components c = { .g = &graph, .met = meet_component, .closure = &p };
	const uint64_t count = (uint64_t)g->nodes.count * r->contrary->states;
	bool finished = true;
	LP_HOLDS(g->nodes.count && g->events.count == g->edges.count); /* an event for each edge */

	*out = (struct lp_lasso){ 0 };
	if (count >= LP_NO_NODE)
		return LP_FREE_UNKNOWN;
	if (!r->contrary->widest)
		return LP_FREE; /* the automaton accepts nothing */
	graph.nodes = (uint32_t)count;
	p.via = lp_alloc_zero(graph.nodes, sizeof *p.via);
	p.from = lp_alloc_zero(graph.nodes, sizeof *p.from);
	p.removed = lp_alloc_zero(graph.nodes, sizeof *p.removed);
	reach(&p, &graph);
	p.cycles = true;
	do {
		p.again = false;
		lp_components_close(&c);
		finished = lp_components_find(&c, go_on, closure);
	} while (finished && p.again && p.best == LP_NO_NODE);
	if (p.best != LP_NO_NODE)
		make_lasso(&p, &c, out);
	lp_components_close(&c);
	lp_free(p.via);
	lp_free(p.from);
	lp_free(p.removed);
	return p.best != LP_NO_NODE ? LP_NOT_FREE : finished ? LP_FREE : LP_FREE_UNKNOWN;
}
