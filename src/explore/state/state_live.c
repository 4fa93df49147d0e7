/* state_live.c -- properties of infinite runs: the search records the graph of its states, and at
 * the end looks for a cycle that violates the property (freedom.h). */
#include "base/error.h"
#include "explore/state/state_search.h"

#include <string.h>

static bool is_busy(struct lp_state_search *s, const struct lp_snapshot *n, uint32_t process)
{
	return lp_automaton_place(&s->a, (lp_local)n->w[process])->op.kind != LP_OP_CALL;
}

uint32_t lp_search_atoms(struct lp_state_search *s, const struct lp_snapshot *n)
{
	const struct lp_state_options *o = s->options;
	uint32_t atoms = o->runs->state(o->runs->closure, n->set);

	for (uint32_t i = 0; i < o->runs->propositions; i++) {
		int64_t result;
		if (!lp_search_ask(s, n, o->call_count + o->invariants + o->teardowns + i, &result))
			lp_search_stop(s, "a proposition of the formula does not return");
		atoms |= (uint32_t)(result != 0) << o->runs->proposition[i];
	}
	return atoms;
}

static struct lp_state_node describe(struct lp_state_search *s, const struct lp_snapshot *n)
{
	const struct lp_state_monitor *m = s->monitor;
	struct lp_state_node node = { 0 };

	for (uint32_t i = 0; i < s->options->processes; i++) {
		const uint16_t bit = (uint16_t)(1u << i);
		if (!is_busy(s, n, i))
			continue;
		node.busy |= bit;
		if (lp_freedom_is_fair(s->options->freedom) && !m->may_wait(m->closure, n->set, i))
			node.owes |= bit;
	}
	return node;
}

bool lp_search_edge(struct lp_state_search *s, const struct lp_snapshot *n, struct lp_fingerprint print,
		    const uint8_t *to)
{
	struct lp_state_graph *g = s->graph;
	bool fresh;

	if (!s->exact)
		lp_fingerprint_word(&print, n->set);
	const uint32_t state = lp_state_graph_state(g, print, &fresh);

	LP_HOLDS(fresh ? state + 1 == g->nodes.count : state < g->nodes.count);
	if (fresh)
		g->nodes.at[state] = describe(s, n);
	if (fresh && s->options->runs)
		g->nodes.at[state].atoms = lp_search_atoms(s, n);
	if (to && s->options->runs)
		LP_PUSH(&g->events, s->step.event);
	if (to) {
		/* After a transition a process is idle if, and only if, its call has returned. */
		const bool returns = !is_busy(s, n, to[s->step.process]);
		lp_state_graph_edge(g, state, s->step.process, (returns ? LP_EDGE_RETURNS : 0u) |
				    (s->spurious ? LP_EDGE_SPURIOUS : 0u), to);
	}
	if (g->full)
		lp_search_stop(s, "memory limit reached");
	return fresh;
}

void lp_search_able(struct lp_state_search *s, uint32_t process, uint32_t transitions, bool barred)
{
	struct lp_state_node *node = &s->graph->nodes.at[s->graph->from];
	const uint16_t bit = (uint16_t)(node->busy & 1u << process);

	LP_HOLDS(process < s->options->processes);
	if (transitions)
		node->able |= bit;
	else if (barred)
		node->barred |= bit;
}

void lp_search_stays(struct lp_state_search *s)
{
	static const uint8_t same[LP_STATE_PROCESSES] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	const uint32_t state = s->graph->from;

	if (s->graph->nodes.at[state].able)
		return;
	LP_PUSH(&s->graph->events, 0);
	lp_state_graph_edge(s->graph, state, 0, LP_EDGE_STAYS, same);
}

/* Violations are usually near the first state, and the graph may be large.  So the graph is searched
 * whenever its size has doubled: all these searches together cost no more than the last one. */
void lp_search_freedom_early(struct lp_state_search *s)
{
	enum { FIRST_LOOK = 1 << 15 };
	const uint32_t count = s->graph->nodes.count;

	if (lp_freedom_is_fair(s->options->freedom) || s->options->runs || count < FIRST_LOOK || count < 2 * s->looked)
		return;
	s->looked = count;
	lp_search_freedom(s);
}

static bool go_on(void *closure)
{
	struct lp_state_search *s = closure;
	const struct lp_progress progress = { .executions = s->counts->states };

	return !s->options->progress || s->options->progress(s->options->closure, &progress);
}

/* A cycle in a part of the graph is a cycle of the whole graph, so the part that was explored
 * before a limit is searched, too.  The exception are fair schedules: whether a call may wait
 * depends on what the monitor knows, and it may still have much to learn then. */
void lp_search_freedom(struct lp_state_search *s)
{
	struct lp_lasso lasso;

	const struct lp_state_options *o = s->options;

	if (s->wrong || s->again || (s->stopped && (lp_freedom_is_fair(o->freedom) || o->runs)))
		return;
	switch (o->runs ? lp_runs_decide(s->graph, o->runs, o->processes, go_on, s, &lasso) :
			  lp_freedom_decide(s->graph, o->freedom, o->processes, go_on, s, &lasso)) {
	case LP_FREE:
		break;
	case LP_NOT_FREE:
		lp_search_goes_on(s, &lasso);
		break;
	case LP_FREE_UNKNOWN:
		lp_search_stop(s, "stopped");
		break;
	}
	lp_lasso_close(&lasso);
}
