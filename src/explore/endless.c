/* endless.c -- a thread that has done very many operations: does it ever end?
 *
 * Nobody can tell from the number.  The graph explorer lets one thread go on while the
 * others have hardly begun, and so a loop that writes, and ends when another thread has done
 * its part, has an execution of any length.  So the execution is continued fairly: every
 * thread has its turn, reads what was written last, and chooses each number in turn.  If the
 * thread has not come to an end after TURNS turns, it is said to run on
 * without end, which is what a user would say; or else there is no verdict.  Who states a
 * bound of his own (--steps) wants to know of every thread that exceeds it.
 *
 * A weak compare-exchange that has failed IN_VAIN times for no reason, with nothing written
 * in between, will do so for ever in some execution: that is soon said.
 */
#include "explore/act.h"

#include <stdio.h>

enum { TURNS = 2000, IN_VAIN = 1000 };

/* Could the operation, number `id`, do no more now than wait? */
static bool would_wait(struct lp_explorer *x, const struct lp_op *op, uint32_t id)
{
	struct lp_graph *g = &lp_top(x)->g;
	const uint32_t loc = x->ops.op.at[id].loc;

	if (!lp_is_access(op) || op->otherwise == LP_ELSE_FAIL)
		return false;
	lp_graph_need_loc(g, loc);
	return g->locs.at[loc].used &&
	       !lp_op_holds(op, lp_value_at(g, loc, g->locs.at[loc].co.count));
}

/* Is there a thread that waits, in the graph, for what has come meanwhile?  It would have its
 * turn, too. */
static bool somebody_could_go_on(struct lp_explorer *x)
{
	const struct lp_graph *g = &lp_top(x)->g;

	for (lp_tid t = 0; t < g->threads.count; t++) {
		const struct lp_thread *th = &g->threads.at[t];
		if (!th->exists || !th->count)
			continue;
		const struct lp_event *last = lp_graph_event(g, LP_LAST(th));
		if (last->waiting && !would_wait(x, &x->ops.op.at[last->op].op, last->op))
			return true;
	}
	return false;
}

/* Lets the thread perform one operation.  False if it cannot, or that is an error. */
static bool take_turn(struct lp_explorer *x, lp_tid t, uint32_t round, struct lp_ways *ways)
{
	const struct lp_op *op;

	if (!lp_catch_up(x) || lp_thread_state(x, t, &op) != LP_THREAD_RUNNABLE)
		return false;
	if (op->kind == LP_OP_ERROR) {
		lp_explorer_fail(x, t, op->error);
		return false;
	}
	const struct lp_move move = lp_move_of(x, t, op);
	if (would_wait(x, op, move.id))
		return false;
	if (!lp_ways_of(x, &move, true, ways) || !ways->count)
		return false;
	return lp_go(x, &move, ways->at[op->kind == LP_OP_CHOOSE ? round % ways->count : 0]) &&
	       !x->stopped;
}

/* Does the thread go on although all others have their turns? */
static bool goes_on(struct lp_explorer *x, lp_tid thread)
{
	const struct lp_graph *g = &lp_top(x)->g;
	const lp_eid events = g->ev.count;
	const uint32_t seq = lp_top(x)->seq.count;
	struct lp_ways ways = { 0 };
	bool alive = true;

	for (uint32_t round = 0; round < TURNS && alive && !x->stopped; round++) {
		alive = false; /* unless somebody goes on: it may have to wait, not for ever */
		for (lp_tid t = 0; t < g->threads.count && !x->stopped; t++)
			alive |= g->threads.at[t].exists && take_turn(x, t, round, &ways);
		if (alive && !x->stopped && somebody_could_go_on(x))
			alive = false;
	}
	lp_free(ways.at);
	if (!x->stopped) {
		const struct lp_thread *t = &g->threads.at[thread];
		alive &= lp_graph_event(g, LP_LAST(t))->kind != LP_EV_END;
		lp_shrink(x, events, seq);
	}
	return alive;
}

static bool fails_in_vain(const struct lp_graph *g, lp_tid thread)
{
	const struct lp_thread *t = &g->threads.at[thread];
	uint32_t failed = 0;

	if (t->count < IN_VAIN || !lp_graph_event(g, LP_LAST(t))->spurious)
		return false;
	for (uint32_t i = t->count; i-- > 0 && failed < IN_VAIN;) {
		const struct lp_event *e = lp_graph_event(g, t->at[i]);
		if (e->kind != LP_EV_READ && e->kind != LP_EV_FENCE)
			return false;
		failed += e->spurious;
	}
	return failed == IN_VAIN;
}

bool lp_check_steps(struct lp_explorer *x, lp_tid t, const struct lp_op *op)
{
	if (fails_in_vain(&lp_top(x)->g, t)) {
		struct lp_program_error vain = { .kind = "unsupported", .pc = op->pc };
		snprintf(vain.text, sizeof vain.text,
			 "a weak compare-exchange of thread %u fails again and again for no reason: too long to explore (see --no-weak-fail)",
			 t);
		lp_explorer_fail(x, t, &vain);
		return false;
	}
	/* To come to its end is no operation of a thread. */
	if (lp_top(x)->g.threads.at[t].count < x->steps || op->kind == LP_OP_END)
		return true;
	struct lp_program_error error = { .kind = "endless loop", .pc = op->pc };
	snprintf(error.text, sizeof error.text,
		 "thread %u does more than %u operations (see --steps)", t, x->steps);
	if (!x->options->limits.steps) {
		const bool endless = goes_on(x, t);
		if (x->stopped || !lp_catch_up(x)) /* an error that comes later */
			return false;
		if (!endless) {
			error.kind = "unsupported";
			snprintf(error.text, sizeof error.text,
				 "thread %u does more than %u operations, and might have come to an end had others had their turn: too long to explore (see --steps)",
				 t, x->steps);
		}
	}
	lp_explorer_fail(x, t, &error);
	return false;
}
