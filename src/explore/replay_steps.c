/* replay_steps.c -- repeats an execution exactly.
 *
 * An execution is given by its steps: which thread, where each read takes its value from,
 * and which write each write directly follows in co.  The steps are in an order in which they can be
 * performed.  But this order need not agree with co: a write may be above the write of a later step.  So the position of a write is computed from its
 * rank in the co of the whole execution.
 */
#include "base/error.h"
#include "explore/reduce/overwritten_iterations.h"
#include "explore/reduce/redundant_attempts.h"
#include "explore/restarts.h"
#include "explore/sample/act.h"

#include <stdio.h>
#include <string.h>

#define UNKNOWN UINT32_MAX

enum { SPARE = 256 }; /* events of threads that end */

struct replay {
	struct lp_explorer x;
	struct lp_trail trail;
	const struct lp_replay *of;
	uint32_t *rank;    /* by step that writes: how many writes come before it in co */
	lp_eid *write;     /* the event of a step that writes, or LP_NO_EVENT */
	uint32_t *step;    /* by event */
};

static double nothing(const struct lp_explorer *x)
{
	(void)x;
	return 0;
}

/* Fills in the ranks along the chain of co that leads to the step. */
static void find_rank(struct replay *r, uint32_t step)
{
	uint32_t length = 0, s;

	for (s = step; s < r->of->count && r->rank[s] == UNKNOWN && length <= r->of->count;
	     s = r->of->steps[s].co_after)
		length++;
	uint32_t rank = (s < r->of->count ? r->rank[s] + 1 : 0) + length;
	LP_HOLDS(length <= r->of->count); /* co has no cycle */
	for (s = step; length; length--, s = r->of->steps[s].co_after)
		r->rank[s] = --rank;
}

/* The current position in co of the write that the step reads from, or directly follows. */
static uint32_t position(const struct replay *r, uint32_t from)
{
	return from < r->of->count && r->write[from] != LP_NO_EVENT ?
		       lp_graph_pos(&lp_top((struct lp_explorer *)&r->x)->g, r->write[from]) : 0;
}

static uint32_t place_of_write(struct replay *r, uint32_t step, uint32_t l)
{
	const struct lp_loc *loc = &lp_top(&r->x)->g.locs.at[l];
	uint32_t pos = loc->co.count + 1;

	LP_HOLDS(r->rank[step] != UNKNOWN);
	while (pos > 1 && r->rank[r->step[loc->co.at[pos - 2]]] > r->rank[step])
		pos--;
	return pos;
}

static uint32_t way_of(struct replay *r, uint32_t step, const struct lp_move *m)
{
	const struct lp_step *s = &r->of->steps[step];
	LP_HOLDS(step < r->of->count);

	switch ((enum lp_op_kind)m->op->kind) {
	case LP_OP_LOAD:
		return 2 * position(r, s->reads_from);
	case LP_OP_RMW: {
		/* A compare-exchange that failed although the values were equal failed spuriously. */
		const struct lp_known_op *known = &r->x.ops.op.at[m->id];
		const uint32_t pos = known->op.keeps ? place_of_write(r, step, known->loc) - 1
						     : position(r, s->reads_from);
		const struct lp_value v =
			lp_graph_value(&lp_top(&r->x)->g, known->loc, pos, known->bytes);
		return 2 * pos + (s->answer.failed && !known->op.keeps && !s->blocked && lp_op_holds(m->op, v));
	}
	case LP_OP_STORE:
		return place_of_write(r, step, r->x.ops.op.at[m->id].loc);
	case LP_OP_CHOOSE:
	case LP_OP_CALL:
		return (uint32_t)s->answer.value.lo;
	default:
		return 0;
	}
}

static void diverge(struct replay *r, uint32_t step, const char *how)
{
	char text[128];

	snprintf(text, sizeof text, "the program does something else at step %u: %s", step + 1, how);
	lp_explorer_stop(&r->x, text);
}

/* Ends of threads are not in order among the steps: a thread ends when it can. */
static void end_threads(struct replay *r)
{
	struct lp_explorer *x = &r->x;
	const struct lp_graph *g = &lp_top(x)->g;

	for (lp_tid t = 0; t < g->threads.count; t++) {
		const struct lp_op *op;
		if (!g->threads.at[t].exists || lp_stop_of(x, t, &op) != LP_STOP_NONE ||
		    op->kind != LP_OP_END)
			continue;
		const struct lp_move move = lp_move_of(x, t, op);
		lp_act_go(x, &move, 0);
	}
}

/* Has the operation never taken place?  Then finish() makes its thread wait. */
static bool is_waiting(const struct lp_step *s, const struct lp_op *op)
{
	return s->blocked && lp_op_is_access(op) && op->otherwise != LP_ELSE_FAIL &&
	       !lp_op_holds(op, s->answer.value);
}

/* Is the step a plain access that is not an operation in this pass?  Plain accesses to a location are operations once the
 * exploration has met accesses of different sizes to it (mixed_sizes.h).  The pass that found the execution may have met
 * these sizes in another execution, or later in this one; then this pass will be repeated. */
static bool is_performed_plainly(const struct lp_step *s, const struct lp_op *op)
{
	return lp_step_is_plain(s) && (!lp_op_is_access(op) || op->order != LP_PLAIN);
}

/* Does the operation that goes this way access the same location as in the step, and is the outcome of its condition the same? */
static bool does_the_same(const struct replay *r, const struct lp_step *s, const struct lp_move *m, uint32_t way)
{
	const struct lp_known_op *known = &r->x.ops.op.at[m->id];

	if (!lp_op_is_access(m->op))
		return true;
	if (m->op->loc != s->op.loc || m->op->size != s->op.size)
		return false;
	if (m->op->kind == LP_OP_STORE || m->op->when == LP_ALWAYS)
		return m->op->when == s->op.when;
	const struct lp_value v = lp_graph_value(&lp_top((struct lp_explorer *)&r->x)->g, known->loc, way / 2, known->bytes);
	return lp_op_holds(m->op, v) == lp_op_holds(&s->op, s->answer.value);
}

/* Performs a step.  Returns false if the replay ends here. */
static bool do_step(struct replay *r, uint32_t step)
{
	struct lp_explorer *x = &r->x;
	const struct lp_step *s = &r->of->steps[step];
	const struct lp_op *op;

	if (!lp_catch_up(x))
		return false;
	const struct lp_graph *g = &lp_top(x)->g;
	end_threads(r);
	if (s->op.kind == LP_OP_END)
		return true;
	if (s->thread >= g->threads.count || !g->threads.at[s->thread].exists) {
		diverge(r, step, "there is no such thread");
		return false;
	}
	const enum lp_stop stop = lp_stop_of(x, s->thread, &op);
	if (op->kind == LP_OP_ERROR) {
		lp_explorer_fail(x, s->thread, op->error);
		return false;
	}
	if (is_performed_plainly(s, op))
		return true;
	if (stop != LP_STOP_NONE || (op->keeps ? LP_OP_STORE : op->kind) != s->op.kind) {
		diverge(r, step, "another operation");
		return false;
	}
	if (is_waiting(s, op))
		return true;
	if (r->of->watch && !r->of->watch(r->of->closure, step)) {
		lp_explorer_stop(x, "stopped");
		return false;
	}
	struct lp_move move = lp_move_of(x, s->thread, op);
	if (lp_op_is_access(op) && !lp_explorer_meet_location(x, s->thread, op, x->ops.op.at[move.id].loc))
		return false;
	const uint32_t events = g->ev.count, way = way_of(r, step, &move);
	if (r->of->strictly && !does_the_same(r, s, &move, way)) {
		diverge(r, step, "another location or outcome");
		return false;
	}
	if (!lp_act_go(x, &move, way)) {
		diverge(r, step, "the memory model forbids it");
		return false;
	}
	for (lp_eid e = events; e < g->ev.count; e++)
		if (g->ev.at[e].kind == LP_EV_WRITE) {
			LP_HOLDS(e < 2 * r->of->count + SPARE && r->write[step] == LP_NO_EVENT);
			r->write[step] = e;
			r->step[e] = step;
		}
	return !x->stopped;
}

/* All steps were performed.  The error is met now, or there is none. */
static void finish(struct replay *r)
{
	struct lp_explorer *x = &r->x;
	bool none[128] = { false }, waits = false, goes_on = false;
	uint32_t choices[128] = { 0 };
	enum lp_conclusion how;

	if (!lp_catch_up(x))
		return;
	const struct lp_graph *g = &lp_top(x)->g;
	end_threads(r);
	for (lp_tid t = 0; t < g->threads.count && t < 128; t++) {
		const struct lp_op *op;
		if (!g->threads.at[t].exists)
			continue;
		const enum lp_stop stop = lp_stop_of(x, t, &op);
		if (op->kind == LP_OP_ERROR) {
			lp_explorer_fail(x, t, op->error);
			return;
		}
		if (stop != LP_STOP_NONE)
			continue;
		if (!lp_endless_check_steps(x, t, op)) /* this comes first, because perhaps all
		                                        * iterations were kept */
			return;
		if (lp_is_redundant_iteration(x, t, lp_explorer_live_state(x, t, op)) || lp_overwritten_retries(x, t, op))
			continue;
		waits = true;
		goes_on |= !lp_op_is_access(op) || op->otherwise == LP_ELSE_FAIL;
	}
	if (goes_on || (waits && !lp_act_settle(x, none, choices, &how)))
		diverge(r, r->of->count, "it goes on");
	else if (!waits)
		lp_explorer_conclude(x);
}

static enum lp_pass_end explore(const struct lp_pass *a)
{
	const struct lp_replay *of = a->closure;
	const uint32_t count = of->count;
	struct replay r = { .trail.program = a->program, .of = of };

	r.rank = lp_alloc(sizeof *r.rank * (count + 1));
	r.write = lp_alloc(sizeof *r.write * (count + 1));
	memset(r.write, 0xff, sizeof *r.write * (count + 1));
	r.step = lp_alloc(sizeof *r.step * (2 * count + SPARE)); /* an RMW is two events */
	memset(r.rank, 0xff, sizeof *r.rank * (count + 1));
	for (uint32_t i = 0; i < count; i++)
		find_rank(&r, i);
	lp_explorer_open(&r.x, a->program, &a->options, a->arena, a->out);
	r.x.forward = true;
	r.x.machine.trail = &r.trail;
	uint32_t step = 0;
	while (step < count && do_step(&r, step) && lp_within_limits(&r.x, nothing))
		step++;
	if (!r.x.stopped)
		finish(&r);
	lp_explorer_close(&r.x);
	lp_trail_drop(&r.trail);
	lp_free(r.step);
	lp_free(r.write);
	lp_free(r.rank);
	return LP_PASS_STOPPED;
}

void lp_explore_replay(struct lp_program *program, const struct lp_explore_options *options,
		       const struct lp_replay *of, struct lp_arena *arena, struct lp_exploration *out)
{
	lp_restarts_explore(&(struct lp_pass){ .program = program, .options = *options, .arena = arena, .out = out,
						  .explore = explore, .closure = of, .situation = LP_FORWARD });
}
