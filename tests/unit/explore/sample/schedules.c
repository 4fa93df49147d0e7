/* schedules.c -- a naive explorer: one schedule after the other. */
#include "schedules.h"

#include <string.h>

#include "program/script.h"

enum { THREADS = 8, LOCATIONS = 16, STEPS = 64 };

struct state {
	struct lp_value memory[LOCATIONS];
	uint32_t writer[LOCATIONS]; /* a step */
	bool touched[LOCATIONS];
	bool ended[THREADS];
	uint32_t events[THREADS];
	struct lp_step steps[STEPS];
	uint32_t count;
};

struct schedules {
	struct lp_program *program;
	const struct lp_explore_options *options;
	struct lp_exploration *out;
};

static uint32_t touch(struct schedules *s, struct state *st, const struct lp_op *op)
{
	const uint32_t l = (uint32_t)((op->loc - lp_script_address(0)) / 64);

	if (!st->touched[l]) {
		s->program->class->initial(s->program, op->loc, op->size, &st->memory[l]);
		st->writer[l] = LP_STEP_INITIAL;
		st->touched[l] = true;
	}
	return l;
}

static bool is_access(const struct lp_op *op)
{
	return op->kind == LP_OP_LOAD || op->kind == LP_OP_STORE || op->kind == LP_OP_RMW;
}

/* How many ways are there to perform the thread's operation? */
static uint32_t ways_of(struct schedules *s, struct state *st, lp_tid t, const struct lp_op *op)
{
	if (st->ended[t] || op->kind == LP_OP_BLOCK || op->kind == LP_OP_ERROR)
		return 0;
	if (op->kind == LP_OP_JOIN)
		return st->ended[op->target];
	if (lp_op_chooses(op->kind))
		return op->count;
	if (op->kind == LP_OP_LOAD || op->kind == LP_OP_RMW) {
		const bool holds = lp_op_holds(op, st->memory[touch(s, st, op)]);
		if (!holds)
			return op->otherwise == LP_ELSE_FAIL;
		return op->weak && s->options->weak_fails ? 2 : 1;
	}
	return 1;
}

/* Performs the thread's operation; way 1 of a weak CAS fails. */
static void perform(struct schedules *s, struct state *st, lp_tid t, const struct lp_op *op,
		    uint32_t way)
{
	struct lp_step *step = &st->steps[st->count];
	const bool end = op->kind == LP_OP_END;

	*step = (struct lp_step){ .thread = t, .event = st->events[t]++, .op = *op,
				  .reads_from = LP_STEP_NONE, .co_after = LP_STEP_NONE };
	if (is_access(op)) {
		const uint32_t l = touch(s, st, op);
		bool writes = op->kind == LP_OP_STORE;
		step->answer.wrote = op->operand;
		if (!writes) {
			step->answer.value = st->memory[l];
			step->reads_from = st->writer[l];
			writes = op->kind == LP_OP_RMW && lp_op_holds(op, st->memory[l]) && !way;
			step->answer.failed = !writes;
			step->answer.wrote = lp_op_result(op, st->memory[l]);
			st->events[t] += writes;
		}
		if (writes) {
			step->co_after = st->writer[l];
			st->memory[l] = step->answer.wrote;
			st->writer[l] = st->count;
		}
	} else if (lp_op_chooses(op->kind)) {
		step->answer.value = lp_value(way);
	}
	st->ended[t] |= end;
	st->count++;
	if (!end)
		lp_program_resume(s->program, t, &step->answer);
}

/* The thread has performed something, or everything begins: `used` is the cost so far. */
static void schedule(struct schedules *s, struct state *st, lp_tid current, uint32_t used);

/* Thread t goes on: with an access, if `first`, and then with all operations that are not accesses.  Thread `last` counts as the one that ran last. */
static void run(struct schedules *s, struct state *st, lp_tid t, lp_tid last, uint32_t used, bool first)
{
	const struct lp_op *op = lp_program_pending(s->program, t);
	const uint32_t ways = ways_of(s, st, t, op);

	if (op->kind == LP_OP_ERROR && !st->ended[t]) {
		s->out->verdict = LP_VIOLATION;
		return;
	}
	if (!ways || (!first && is_access(op))) {
		schedule(s, st, last, used);
		return;
	}
	const uint32_t mark = s->program->class->save(s->program);
	for (uint32_t way = 0; way < ways; way++) {
		struct state next = *st;
		perform(s, &next, t, lp_program_pending(s->program, t), way);
		run(s, &next, t, last, used, false);
		s->program->class->restore(s->program, mark);
	}
	s->program->class->forget(s->program, mark);
}

/* May the operation have to wait, or has its thread ended? */
static bool may_wait(const struct state *st, lp_tid t, const struct lp_op *op)
{
	return st->ended[t] || op->kind == LP_OP_JOIN || op->kind == LP_OP_BLOCK || op->otherwise == LP_ELSE_WAIT;
}

/* What it costs to go on with t after thread `current`; each bound has its own measure. */
static uint32_t preemptions_to(struct schedules *s, struct state *st, lp_tid current, lp_tid t)
{
	const struct lp_op *op = lp_program_pending(s->program, current);
	const bool strict = !s->options->reduce.attempts; /* else what may wait may be left */

	return t != current && ways_of(s, st, current, op) && (strict || !may_wait(st, current, op));
}

static uint32_t delays_to(struct schedules *s, struct state *st, lp_tid current, lp_tid t)
{
	uint32_t sum = 0;

	for (lp_tid u = current; u != t; u = (u + 1) % THREADS) {
		const struct lp_op *op = lp_program_pending(s->program, u);
		sum += op && !may_wait(st, u, op);
	}
	return sum;
}

static uint32_t cost_to(struct schedules *s, struct state *st, lp_tid current, lp_tid t)
{
	if (s->options->bounds.rounds)
		return t < current;
	return s->options->bounds.delays ? delays_to(s, st, current, t) : preemptions_to(s, st, current, t);
}

static uint32_t limit_of(const struct lp_explore_options *o)
{
	return o->bounds.rounds ? o->bounds.rounds - 1 : o->bounds.delays ? o->bounds.delays - 1 : o->bounds.preemptions - 1;
}

/* Will an assumption of the thread never hold? */
static bool drops(struct schedules *s, struct state *st, lp_tid t, const struct lp_op *op)
{
	return !st->ended[t] && (op->kind == LP_OP_BLOCK || (op->otherwise == LP_ELSE_DROP && !ways_of(s, st, t, op)));
}

static void schedule(struct schedules *s, struct state *st, lp_tid current, uint32_t used)
{
	bool all_ended = true, stuck = true;

	for (lp_tid t = 0; t < THREADS && s->options->bounds.rounds; t++) {
		const struct lp_op *op = lp_program_pending(s->program, t);
		if (op && op->kind == LP_OP_JOIN && ways_of(s, st, t, op)) { /* takes no turn */
			run(s, st, t, current, used, true);
			return;
		}
	}
	for (lp_tid t = 0; t < THREADS; t++) {
		const struct lp_op *op = lp_program_pending(s->program, t);
		if (!op)
			continue;
		const bool goes_on = ways_of(s, st, t, op) || (op->kind == LP_OP_ERROR && !st->ended[t]);
		all_ended &= st->ended[t];
		stuck &= !goes_on && !drops(s, st, t, op);
		const uint32_t cost = used + cost_to(s, st, current, t);
		if (goes_on && cost <= limit_of(s->options))
			run(s, st, t, t, cost, true);
	}
	if (all_ended) {
		s->out->executions++;
		if (s->options->callbacks.complete)
			s->options->callbacks.complete(s->options->callbacks.closure, st->steps, st->count);
	} else if (stuck) {
		s->out->verdict = LP_VIOLATION;
	}
}

void schedules_explore(struct lp_program *program, const struct lp_explore_options *options,
		       struct lp_arena *arena, struct lp_exploration *out)
{
	struct schedules s = { program, options, out };
	struct state st;

	(void)arena;
	memset(&st, 0, sizeof st);
	*out = (struct lp_exploration){ .verdict = LP_VERIFIED };
	lp_program_reset(program);
	run(&s, &st, 0, 0, 0, true);
}
