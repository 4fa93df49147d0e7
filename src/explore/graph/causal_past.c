/* causal_past.c -- the events that lead to a step of a thread. */
#include "explore/graph/causal_past.h"

#include <string.h>

#include "base/error.h"
#include "graph/parts.h"

/* Adds the event, and its predecessors in po, to the past. Returns true if it is new there. */
static bool include(uint32_t *past, const struct lp_event *e)
{
	const bool is_new = !lp_clock_has(past, e);

	if (is_new)
		past[e->thread] = e->index + 1;
	return is_new;
}

void lp_causal_past_find(const struct lp_graph *g, uint32_t thread, uint32_t index, uint32_t *past)
{
	uint32_t seen[g->width];
	bool more = true;

	memset(past, 0, sizeof *past * g->width);
	memset(seen, 0, sizeof seen);
	LP_HOLDS(index <= g->threads.at[thread].count);
	past[thread] = index;
	while (more) {
		more = false;
		for (uint32_t t = 0; t < g->threads.count; t++) {
			const struct lp_thread *th = &g->threads.at[t];
			if (!seen[t] && (past[t] || t == thread) && th->spawn != LP_NO_EVENT)
				more |= include(past, lp_graph_event(g, th->spawn));
			for (; seen[t] < past[t]; seen[t]++) {
				const struct lp_event *e = lp_graph_event(g, th->at[seen[t]]);
				struct lp_sources s = lp_sources(g, e);
				for (lp_eid w; e->kind == LP_EV_READ && !e->keeps &&
					       (w = lp_next_source(g, &s)) != LP_INIT;)
					more |= include(past, lp_graph_event(g, w));
				if (e->kind == LP_EV_JOIN && g->threads.at[e->target].count)
					more |= include(past, lp_graph_event(g, LP_LAST(&g->threads.at[e->target])));
			}
		}
	}
}
