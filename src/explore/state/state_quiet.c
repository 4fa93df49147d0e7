/* state_quiet.c -- runs the invariants and the tear-down when no process is in a call.
 *
 * A client may end in every state in which no process is in a call.  So in every such state the
 * invariants must hold, and the tear-down must have no error.  Invariants and tear-down run alone, on a
 * copy of the state, as calls of a process that has made no call before; their changes are discarded.
 * The search reaches all states in which no process is in a call, although calls begin late and return
 * early (state.c), because in these states every call that has begun has returned.
 */
#include "explore/state/state_search.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { MOST_STEPS = 100000 };

static void go_wrong(struct lp_state_search *s, const struct lp_op *op, enum lp_error_kind kind, const char *text)
{
	struct lp_program_error error = { .kind = kind, .loc = op->loc, .pc = op->pc };

	snprintf(error.text, sizeof error.text, "%s", text);
	lp_search_error(s, &error, s->step.process);
}

static bool access_alone(struct lp_state_search *s, const struct lp_place_of *p, struct lp_response *answer)
{
	const struct lp_op *op = &p->op;

	if (!lp_heap_allows(s, s->way.alone, op))
		return false;
	if (op->kind == LP_OP_STORE) {
		answer->wrote = op->operand;
	} else {
		lp_search_reads(s, p);
		answer->value = lp_search_read(s, s->way.alone, p);
		answer->failed = !lp_op_holds(op, answer->value);
		if (answer->failed && op->otherwise == LP_ELSE_WAIT)
			go_wrong(s, op, LP_ERROR_DEADLOCK, "it waits forever, although no call is in progress");
		if (answer->failed && op->otherwise != LP_ELSE_FAIL)
			return false;
		answer->wrote = lp_op_result(op, answer->value);
	}
	if (op->kind == LP_OP_STORE || (op->kind == LP_OP_RMW && !answer->failed))
		lp_search_write(s, s->way.alone, p, answer->wrote, false);
	return true;
}

/* Finds the answer to the operation.  Returns false if the call ends with this operation. */
static bool answer_alone(struct lp_state_search *s, const struct lp_place_of *p, struct lp_response *answer)
{
	uintptr_t address;

	*answer = (struct lp_response){ .failed = false };
	switch ((enum lp_op_kind)p->op.kind) {
	case LP_OP_LOAD:
	case LP_OP_STORE:
	case LP_OP_RMW:
		return access_alone(s, p, answer);
	case LP_OP_FENCE:
	case LP_OP_YIELD:
		return true;
	case LP_OP_RETURN:
	case LP_OP_POINT:
		return true;
	case LP_OP_ALLOC:
		if (!lp_heap_alloc(s, s->way.alone, &p->op, &address))
			return false;
		answer->value = lp_value(address);
		return true;
	case LP_OP_FREE:
		return lp_heap_free(s, s->way.alone, &p->op);
	case LP_OP_CHOOSE:
		if (p->op.count > 1)
			lp_search_stop(s, "an invariant, or the tear-down, makes choices");
		return p->op.count <= 1;
	case LP_OP_CALL:
	case LP_OP_ERROR:
	case LP_OP_BLOCK:
	case LP_OP_SPAWN:
	case LP_OP_JOIN:
	case LP_OP_END:
		break;
	}
	return false;
}

static void write_down(struct lp_state_search *s, const struct lp_op *op, const struct lp_response *answer,
		       lp_local local)
{
	LP_PUSH(&s->way.steps, ((struct lp_step){ .op = *op, .answer = *answer,
					      .reads_from = LP_STEP_NONE, .co_after = LP_STEP_NONE }));
	LP_PUSH(&s->way.locals, local);
	LP_HOLDS(s->way.steps.count == s->way.locals.count);
}

/* Runs the call to its end.  Returns false if it does not end. */
static bool call_alone(struct lp_state_search *s, uint32_t call, bool teardown, int64_t *result)
{
	struct lp_response answer = { .value = lp_value(call) };
	LP_HOLDS(lp_automaton_place(&s->a, s->a.processes->idle)->op.kind == LP_OP_CALL);
	lp_local local = lp_automaton_next(&s->a, s->a.processes->idle, &answer);

	for (uint32_t steps = 0; !s->again; steps++) {
		const struct lp_place_of p = *lp_automaton_place(&s->a, local);
		if (p.op.kind == LP_OP_CALL)
			return true;
		if (steps == MOST_STEPS) {
			go_wrong(s, &p.op, LP_ERROR_ENDLESS, "an invariant, or the tear-down, does not end");
		} else if (p.op.kind == LP_OP_ERROR && teardown && lp_error_is_limit(p.op.error->kind)) {
			if (!s->counts->no_teardown)
				s->counts->no_teardown = lp_arena_strdup(s->arena, p.op.error->text);
		} else if (p.op.kind == LP_OP_ERROR) {
			lp_search_error(s, p.op.error, s->step.process);
		} else if (answer_alone(s, &p, &answer)) {
			if (p.op.kind == LP_OP_RETURN)
				*result = (int64_t)p.op.operand.lo;
			if (s->way.wanted)
				write_down(s, &p.op, &answer, local);
			local = lp_automaton_next(&s->a, local, &answer);
			continue;
		}
		return false;
	}
	return false;
}

static bool is_quiet(struct lp_state_search *s, const struct lp_snapshot *n)
{
	for (uint32_t i = 0; i < s->options->processes; i++)
		if (lp_automaton_place(&s->a, (lp_local)n->w[i])->op.kind != LP_OP_CALL)
			return false;
	return true;
}

static void copy_alone(struct lp_state_search *s, const struct lp_snapshot *n)
{
	if (!s->way.alone)
		s->way.alone = lp_alloc(sizeof *s->way.alone);
	LP_HOLDS(n != s->way.alone && n->words <= LP_STATE_WORDS);
	s->way.alone->set = n->set;
	s->way.alone->words = n->words;
	memcpy(s->way.alone->w, n->w, sizeof *n->w * (LP_STATE_PROCESSES + n->words));
}

bool lp_search_ask(struct lp_state_search *s, const struct lp_snapshot *n, uint32_t call, int64_t *result)
{
	*result = 0;
	copy_alone(s, n);
	return call_alone(s, call, false, result);
}

void lp_search_quiet(struct lp_state_search *s, const struct lp_snapshot *n)
{
	const struct lp_state_options *o = s->options;
	const struct lp_record here = { s->step.record, UINT32_MAX };
	const bool stopped = s->stopped;
	int64_t result;

	if (!is_quiet(s, n))
		return;
	copy_alone(s, n);
	s->step.process = 0;
	for (uint32_t i = 0; i < o->invariants + o->teardowns; i++)
		if (!call_alone(s, o->call_count + i, i >= o->invariants, &result))
			break;
	LP_HOLDS(s->way.alone->set == n->set); /* the monitor is not asked about these calls */
	if (!s->way.wanted && s->wrong && !stopped) {
		s->way.quiet = true;
		s->way.last = here;
	}
}
