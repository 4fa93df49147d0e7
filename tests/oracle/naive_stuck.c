/* naive_stuck.c -- threads that wait or spin forever in a candidate; see growth.h. */
#include "growth.h"

/* The value that is last in co. */
static struct lp_value last_value(const struct growth *g, uint32_t loc)
{
	return g->co[loc].count ? g->events.at[LP_LAST(&g->co[loc])].answer.wrote
				: lp_value(g->script->locs.at[loc].initial);
}

bool naive_is_waiting(const struct lp_op *op)
{
	return (op->kind == LP_OP_LOAD || op->kind == LP_OP_RMW) && op->when != LP_ALWAYS &&
	       op->otherwise == LP_ELSE_WAIT;
}

static bool waits_forever(struct growth *g, const struct lp_op *op)
{
	return !lp_op_holds(op, last_value(g, loc_of(op)));
}

/* What the read would be answered, if the thread alone went on: what it has written itself since `from`, or else the last word. */
static struct lp_value value_alone(const struct growth *g, const struct seen_event *read, uint32_t from)
{
	const struct seen_event *e = read;

	while (e-- > &g->events.at[from])
		if (e->thread == read->thread && (e->op.kind == LP_OP_STORE || (e->op.kind == LP_OP_RMW && !e->answer.failed)) &&
		    e->op.loc == read->op.loc)
			return e->answer.wrote;
	return last_value(g, loc_of(&read->op));
}

/* Every value that the iteration read, which began with that event, was the last word, and nothing in it
 * could have gone another way by itself. */
static bool spins_forever(const struct growth *g, lp_tid t, uint32_t from)
{
	for (uint32_t i = from; i < g->events.count; i++) {
		const struct seen_event *e = &g->events.at[i];
		if (e->thread == t && (lp_op_chooses(e->op.kind) ||
				       (e->answer.failed && lp_op_holds(&e->op, e->answer.value))))
			return false;
		if (e->thread == t && e->reads_from != SEEN_NONE && !lp_value_equal(e->answer.value, value_alone(g, e, from)))
			return false;
	}
	return true;
}

bool naive_is_cut(const struct growth *g, lp_tid t, const struct lp_op *op)
{
	return op->kind == LP_OP_BLOCK && g->options->rounds &&
	       lp_script_rounds(g->program, t) >= g->options->rounds;
}

bool naive_is_stuck(struct growth *g)
{
	for (lp_tid t = 0; t < g->script->blocks.count; t++) {
		const struct lp_op *op = lp_program_pending(g->program, t);

		if (g->spinning[t] != NOT_SPINNING) {
			if (!spins_forever(g, t, g->spinning[t]))
				return false;
		} else if (op && naive_is_cut(g, t, op)) {
			if (!spins_forever(g, t, g->round[t]))
				return false;
		} else if (op && naive_is_waiting(op) && !waits_forever(g, op)) {
			return false;
		}
	}
	return true;
}
