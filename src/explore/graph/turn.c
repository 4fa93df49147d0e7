/* turn.c -- inside the graph explorer: may a thread go on? */
#include "explore/graph/turn.h"

#include "explore/bound/bound.h"
#include "explore/graph/grow.h"
#include "explore/reduce/blocked_forever.h"
#include "explore/reduce/overwritten_iterations.h"
#include "explore/reduce/park.h"
#include "explore/reduce/redundant_attempts.h"
#include "explore/reduce/redundant_rereads.h"
#include "explore/reduce/stale/stale.h"

/* Has the thread written, and come back to a live state in which it was? */
static bool comes_back(const struct lp_graph *g, lp_tid thread, uint32_t live)
{
	const struct lp_thread *t = &g->threads.at[thread];
	bool wrote = false;

	for (uint32_t i = live ? t->count : 0; i-- > 0;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		wrote |= e->kind == LP_EV_WRITE;
		if (e->live == live)
			return wrote;
	}
	return false;
}

/* The thread is about to make another iteration of a loop that writes.  Errors are looked for without that first: they are
 * errors of the program.  If there are none, nothing follows, and all is explored. */
static enum lp_turn begin_iteration(struct lp_explorer *x, lp_tid t, uint32_t live)
{
	struct lp_graph *g = &lp_top(x)->g;

	if (x->brief.how == LP_BRIEF_NEVER || !comes_back(g, t, live))
		return LP_TURN_GOES_ON;
	if (x->brief.how == LP_BRIEF_IF_NEEDED) {
		x->brief.lengthy = true;
		lp_explorer_stop(x, "iterations that write");
	} else {
		lp_graph_event(g, LP_LAST(&g->threads.at[t]))->stop = LP_STOP_BOUND;
	}
	return LP_TURN_STUCK;
}

enum lp_turn lp_turn_of(struct lp_explorer *x, lp_tid t, const struct lp_op *op, uint32_t live)
{
	const bool round = lp_explorer_goes_round(x, t, live) || lp_is_redundant_attempt(x, t, live) || lp_overwritten_retries(x, t, op);

	if (round)
		lp_bound_note_iteration(x, t);
	if (round)
		lp_park_note_failure(x, t);
	else if (!x->options->vain || !lp_is_redundant_reread(x, t, live))
		return begin_iteration(x, t, live);
	if (lp_is_blocked_forever(x, t) || lp_is_stale(x, t)) {
		struct lp_event *last = lp_graph_event(&lp_top(x)->g, LP_LAST(&lp_top(x)->g.threads.at[t]));
		last->stop = LP_STOP_NONE; /* so that it is found again */
		return LP_TURN_USELESS;
	}
	if (!round || !lp_parks(x, t))
		return LP_TURN_STUCK;
	lp_park(x, t);
	return LP_TURN_PARKED;
}
