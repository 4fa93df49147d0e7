/* arrivals.c -- explores one order of the arrivals at a barrier. */
#include "explore/reduce/unordered/arrivals.h"

#include "graph/parts.h"

/* Condition 3. */
static bool are_alike(const struct lp_graph *g)
{
	for (lp_tid t = 0; t < g->threads.count; t++)
		if (g->threads.at[t].exists && g->threads.at[t].elder != LP_NO_THREAD)
			return true;
	return false;
}

/* Condition 2: the thread arrives after the last write in co.  Is the end of the previous round in its past? */
static bool knows_its_round(const struct lp_graph *g, lp_tid thread, const struct lp_op *op, uint32_t l)
{
	const struct lp_loc *loc = &g->locs.at[l];
	const uint32_t last = loc->co.count;
	const uint64_t before = lp_graph_value(g, l, last, 0).lo, in_round = before % op->round;

	if (before < op->round)
		return true;
	if (in_round >= last)
		return false;
	const lp_eid end = loc->co.at[last - 1 - in_round], own = lp_graph_last(g, thread);
	return own != LP_NO_EVENT && lp_graph_porf(g, end, own);
}

bool lp_arrivals_apply(struct lp_explorer *x, lp_tid thread, const struct lp_op *op, uint32_t loc)
{
	const struct lp_graph *g = &lp_top(x)->g;

	if (!x->facts || op->arrives == LP_NO_ARRIVAL)
		return false;
	if (x->options->reduce.recognised && are_alike(g)) {
		lp_like_tell(x->machine.like.facts);
		return false;
	}
	if (op->arrives == LP_ARRIVES_UNSEEN && !are_alike(g) && knows_its_round(g, thread, op, loc))
		return true;
	atomic_store_explicit(&x->facts->broken, true, memory_order_relaxed);
	return false;
}

bool lp_arrivals_has_arrived(const struct lp_explorer *x, const struct lp_event *write)
{
	return x->facts && x->ops.op.at[write->op].op.arrives != LP_NO_ARRIVAL;
}
