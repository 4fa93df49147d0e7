/* turn.c -- inside the graph explorer: may a thread go on? */
#include "explore/graph/turn.h"

#include "explore/graph/grow.h"
#include "explore/reduce/blocked_forever.h"
#include "explore/reduce/overwritten_iterations.h"
#include "explore/reduce/park.h"
#include "explore/reduce/redundant_attempts.h"
#include "explore/reduce/redundant_rereads.h"
#include "explore/reduce/stale/stale.h"

enum lp_turn lp_turn_of(struct lp_explorer *x, lp_tid t, const struct lp_op *op, uint32_t live)
{
	const bool round = lp_goes_round(x, t, live) || lp_is_redundant_attempt(x, t, live) || lp_retries(x, t, op);

	if (round)
		lp_fails_note(x, t);
	else if (!x->options->vain || !lp_is_redundant_reread(x, t, live))
		return LP_TURN_GOES_ON;
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
