/* endings.c -- executions that end before all threads have ended: at an error, or at a known end of
 * main(). */
#include "explore/graph/endings.h"

#include "explore/bound/bound.h"
#include "explore/graph/grow.h"
#include "explore/reduce/final_joins.h"

/* A wrong execution is explored to its end, so that the report shows all of it. */
static bool is_judged_right(struct lp_explorer *x)
{
	return x->options->callbacks.judge(x->options->callbacks.judge_closure, &lp_top(x)->g, false, NULL) == LP_JUDGED_RIGHT;
}

bool lp_explorer_comes_to_known_end(struct lp_explorer *x)
{
	const struct lp_graph *g = &lp_top(x)->g;

	for (lp_tid t = 1; t < g->threads.count; t++) {
		const struct lp_op *op;
		if (!g->threads.at[t].exists)
			continue;
		const enum lp_stop stop = lp_stop_of(x, t, &op);
		if (stop == LP_STOP_ENDED)
			op = &x->ops.op.at[lp_graph_event(g, LP_LAST(&g->threads.at[t]))->op].op;
		else if (stop != LP_STOP_NONE) /* its last iteration is redundant, so it does not end */
			return false;
		if (op->kind != LP_OP_END || op->final)
			return false;
	}
	return lp_final_joins_holds(&x->machine) && (!x->options->callbacks.judge || is_judged_right(x));
}

bool lp_explorer_has_erred(struct lp_explorer *x)
{
	const struct lp_graph *g = &lp_top(x)->g;
	bool any = false;

	for (lp_tid t = 0; t < g->threads.count; t++) {
		const struct lp_op *op = g->threads.at[t].exists ? lp_machine_pending(&x->machine, t) : NULL;
		if (!op || op->kind != LP_OP_ERROR)
			continue;
		any = true;
		if (lp_bound_admits_error(x, t)) {
			lp_explorer_fail(x, t, op->error);
			return true;
		}
	}
	x->machine.faults = any;
	return false;
}
