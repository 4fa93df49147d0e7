/* blocked_forever.c -- threads that never go on: neither in the current graph nor in a graph that the
 * exploration makes from it. */
#include "explore/reduce/blocked_forever.h"

#include "base/error.h"
#include "explore/graph/grow.h"
#include "explore/graph/revisit.h"
#include "explore/reduce/overwritten_iterations.h"
#include "explore/reduce/park.h"
#include "explore/reduce/redundant_stores.h"

/* Is the event part of the iteration after which the thread is stuck? Other threads need not see this iteration.
 * But they must see what the thread wrote before it came to a false assumption. */
static bool is_in_last_iteration(const struct lp_graph *g, const struct lp_thread *t, uint32_t i)
{
	const struct lp_note *last = lp_graph_note(g, LP_LAST(t));

	return last->stop == LP_STOP_SPINS && i >= last->since;
}

bool lp_is_blocked_forever(struct lp_explorer *x, lp_tid thread)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];

	LP_HOLDS(!t->count || lp_graph_event(g, LP_LAST(t))->kind != LP_EV_END);
	for (uint32_t i = t->count; i-- > 0;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (lp_overwritten_is_own_write(x, e) || lp_is_redundant_store(e, &x->ops.op.at[e->op].op))
			continue;
		LP_HOLDS(e->kind != LP_EV_READ || e->rf != LP_NO_EVENT);
		const bool maximal = lp_revisit_is_maximal(g, t->at[i], LP_NO_EVENT) && !lp_park_is_because(lp_top(x), t->at[i]);
		if (e->kind == LP_EV_WRITE && is_in_last_iteration(g, t, i) && maximal)
			continue; /* removing only this write would not let the thread go on */
		if (e->kind == LP_EV_READ || e->kind == LP_EV_WRITE || lp_event_chooses(e))
			return !maximal;
	}
	return t->spawn == LP_NO_EVENT;
}

bool lp_blocked_has_touched(struct lp_explorer *x, lp_tid thread)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const struct lp_thread *t = &g->threads.at[thread];
	uint32_t i = t->count;

	for (; i > 0; i--) {
		const struct lp_event *e = lp_graph_event(g, t->at[i - 1]);
		if (lp_overwritten_is_own_write(x, e) || lp_is_redundant_store(e, &x->ops.op.at[e->op].op))
			continue;
		if (e->kind == LP_EV_READ || lp_event_chooses(e))
			break;
		if (e->kind == LP_EV_WRITE || e->kind == LP_EV_SPAWN)
			return true;
	}
	return lp_plains_touched_since(&x->machine.plains, thread, i);
}
