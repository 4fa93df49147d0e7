/* naive_runs.c -- is there a run that violates a formula? (naive_runs.h)
 *
 * Nodes are states and states of the automaton.  A run stays within some set of nodes from some point on.  The largest set
 * from each node of which everything that must occur can be reached, within the set, is what is left when other nodes are
 * taken away, again and again (Emerson and Lei, 1986).
 *
 * What must occur: of each until an edge that does not postpone it.  Under weak fairness, of each thread a step, or a state in
 * which it is not able.  Strong fairness is asked once for every set of threads: these step again and again, and the others
 * are never able.
 */
#include "naive_runs.h"

#include <stdlib.h>

#include "naive_free.h"

struct edge {
	uint32_t from, to; /* nodes */
	uint32_t postpones;
	uint32_t thread;   /* a bit; 0: it stays where it is */
};

struct runs {
	const struct lp_state_runs *r;
	uint32_t threads, states, nodes, edge_count;
	struct edge *edges;
	uint32_t *able; /* by state */
	bool *in, *reaches, *met;
};

static void add_moves(struct runs *n, uint32_t from, uint32_t to, uint32_t letter, uint32_t thread)
{
	const struct lp_ltl_automaton *a = n->r->contrary;

	for (uint32_t q = 0; q < a->states; q++)
		for (uint32_t k = a->first.at[q]; k < a->first.at[q + 1]; k++)
			if (lp_ltl_edge_reads(&a->edges.at[k], letter)) {
				n->edges = realloc(n->edges, sizeof *n->edges * (n->edge_count + 1));
				n->edges[n->edge_count++] = (struct edge){ from * a->states + q, to * a->states + a->edges.at[k].to,
									   a->edges.at[k].postpones, thread };
			}
}

static void make_edges(struct runs *n, const struct naive_graph *g)
{
	const struct lp_state_runs *r = n->r;
	uint32_t count;
	const struct naive_edge *e = naive_graph_edges(g, &count);

	for (uint32_t i = 0; i < count; i++) {
		const uint32_t before = naive_graph_busy(g, e[i].from);
		uint32_t letter = r->state(r->closure, naive_graph_busy(g, e[i].to));
		if (e[i].waits)
			continue;
		if (e[i].calls || e[i].returns)
			letter |= r->event(r->closure, before, e[i].thread, e[i].calls ? LP_OP_CALL : LP_OP_RETURN, e[i].call);
		n->able[e[i].from] |= before & 1u << e[i].thread;
		add_moves(n, e[i].from, e[i].to, letter, 1u << e[i].thread);
	}
	for (uint32_t s = 0; s < n->states; s++)
		if (!n->able[s])
			add_moves(n, s, s, r->state(r->closure, naive_graph_busy(g, s)), 0);
}

/* Something that must occur: an until is not postponed; a thread steps; or, `rests`, it is not able. */
struct demand {
	uint32_t until, steps, rests;
};

static bool is_met(const struct runs *n, const struct demand *d, const struct edge *e)
{
	const uint32_t able = n->able[e->from / n->r->contrary->states];

	return (d->until && !(e->postpones & d->until)) || (e->thread & d->steps) || (d->rests & ~able);
}

/* Takes away the nodes from which it cannot be reached.  False if there are none. */
static bool keep(struct runs *n, const struct demand *d)
{
	bool changed = true, removed = false;

	for (uint32_t i = 0; i < n->nodes; i++)
		n->reaches[i] = false;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < n->edge_count; i++) {
			const struct edge *e = &n->edges[i];
			if (!n->in[e->from] || !n->in[e->to] || n->reaches[e->from] || !(n->reaches[e->to] || is_met(n, d, e)))
				continue;
			n->reaches[e->from] = changed = true;
		}
	}
	for (uint32_t i = 0; i < n->nodes; i++) {
		removed |= n->in[i] && !n->reaches[i];
		n->in[i] &= n->reaches[i];
	}
	return removed;
}

/* Is a node that is left reachable? */
static bool is_reached(struct runs *n)
{
	const struct lp_ltl_automaton *a = n->r->contrary;
	bool changed = true, found = false;

	for (uint32_t i = 0; i < n->nodes; i++)
		n->met[i] = false;
	for (uint32_t k = a->first.at[0]; k < a->first.at[1]; k++)
		if (lp_ltl_edge_reads(&a->edges.at[k], n->r->state(n->r->closure, 0)))
			n->met[a->edges.at[k].to] = true;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < n->edge_count; i++)
			if (n->met[n->edges[i].from] && !n->met[n->edges[i].to])
				n->met[n->edges[i].to] = changed = true;
	}
	for (uint32_t i = 0; i < n->nodes; i++)
		found |= n->met[i] && n->in[i];
	return found;
}

/* Those in `steppers` must step again and again, the others, under strong fairness, are never able. */
static bool is_run(struct runs *n, uint32_t steppers)
{
	const enum lp_fairness fairness = n->r->fairness;
	bool removed = true;

	for (uint32_t i = 0; i < n->nodes; i++)
		n->in[i] = fairness != LP_STRONGLY_FAIR || !(n->able[i / n->r->contrary->states] & ~steppers);
	while (removed) {
		removed = keep(n, &(struct demand){ .steps = UINT32_MAX, .rests = UINT32_MAX }); /* any edge */
		for (uint32_t u = 0; u < n->r->contrary->untils; u++)
			removed |= keep(n, &(struct demand){ .until = 1u << u });
		for (uint32_t t = 0; t < n->threads; t++)
			if (fairness == LP_WEAKLY_FAIR || (fairness == LP_STRONGLY_FAIR && steppers >> t & 1))
				removed |= keep(n, &(struct demand){ .steps = 1u << t, .rests = fairness == LP_WEAKLY_FAIR ? 1u << t : 0 });
	}
	return is_reached(n);
}

bool naive_holds(const struct naive_graph *g, const struct lp_state_runs *r, uint32_t threads)
{
	struct runs n = { .r = r, .threads = threads, .states = naive_graph_size(g) };
	bool found = false;

	n.nodes = n.states * r->contrary->states;
	n.able = calloc(n.states, sizeof *n.able);
	n.in = calloc(n.nodes, sizeof *n.in);
	n.reaches = calloc(n.nodes, sizeof *n.reaches);
	n.met = calloc(n.nodes, sizeof *n.met);
	make_edges(&n, g);
	for (uint32_t steppers = 0; steppers < 1u << threads && !found; steppers++)
		found = is_run(&n, steppers);
	free(n.edges);
	free(n.able);
	free(n.in);
	free(n.reaches);
	free(n.met);
	return !found;
}
