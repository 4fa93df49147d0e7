/* state_live.c -- the search, asked what goes on forever: it writes down the graph of its
 * states, and at its end looks for a cycle that should not be there (freedom.h). */
#include "explore/state/state_search.h"

#include <string.h>

static bool is_busy(struct lp_state_search *s, const struct lp_snapshot *n, uint32_t process)
{
	return lp_automaton_place(&s->a, (lp_local)n->w[process])->op.kind != LP_OP_CALL;
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

	if (fresh)
		g->nodes.at[state] = describe(s, n);
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

/* Violations are mostly near, and the graph may be large: it is looked at whenever it has
 * doubled, which in all costs no more than the last look. */
void lp_search_freedom_early(struct lp_state_search *s)
{
	enum { FIRST_LOOK = 1 << 15 };
	const uint32_t count = s->graph->nodes.count;

	if (lp_freedom_is_fair(s->options->freedom) || count < FIRST_LOOK || count < 2 * s->looked)
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

/* A cycle in a part of the graph is one of the whole: what was explored before a limit was
 * reached is looked at, too.  But for fair schedules: whether a call may wait depends on what
 * the monitor knows, which may have much to learn then. */
void lp_search_freedom(struct lp_state_search *s)
{
	struct lp_lasso lasso;

	if (s->wrong || s->again || (s->stopped && lp_freedom_is_fair(s->options->freedom)))
		return;
	switch (lp_freedom_decide(s->graph, s->options->freedom, s->options->processes, go_on, s,
				  &lasso)) {
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
