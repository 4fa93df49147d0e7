/* state_follow.c -- repeats an execution that was written to a file.
 *
 * There is no search: the steps say which process is next, which call it makes, and what is chosen.  These determine
 * memory, results and blocks, because memory is sequentially consistent.  state_replay.c performs the steps, as it does for
 * a violation that was just found.  But the file may come from another version of the object.  So this file decides
 * whether the execution ends with a violation.
 */
#include <string.h>

#include "base/error.h"
#include "explore/state/state_search.h"

/* Passes all calls and returns to the monitor, again and again until the monitor learns nothing more from them: only
 * when it begins again does it use what it has learnt. */
static bool learns(const struct lp_state_monitor *m, const struct lp_exploration *given)
{
	uint32_t set = m->begin(m->closure);

	for (uint32_t i = 0; i < given->step_count && set != LP_MONITOR_WRONG && set != LP_MONITOR_BARRED; i++) {
		const struct lp_step *s = &given->steps[i];
		if (!s->thread)
			continue;
		LP_HOLDS(set < LP_MONITOR_DOUBTS);
		if (s->op.kind == LP_OP_CALL)
			set = m->calls(m->closure, set, s->thread - 1, (uint32_t)s->answer.value.lo);
		else if (s->op.kind == LP_OP_RETURN)
			set = m->returns(m->closure, set, s->thread - 1, (int64_t)s->op.operand.lo);
		else if (s->op.kind == LP_OP_POINT && m->point)
			set = m->point(m->closure, set, s->thread - 1, (int64_t)s->op.operand.lo);
		if (set == LP_MONITOR_DOUBTS)
			m->settle(m->closure);
		if (set == LP_MONITOR_DOUBTS || set == LP_MONITOR_AGAIN) {
			m->again(m->closure);
			return true;
		}
	}
	return false;
}

/* Do calls and returns alternate, and do the calls exist?  The monitor may only be asked about such
 * executions. */
static bool makes_sense(const struct lp_state_options *o, const struct lp_exploration *given)
{
	bool called[LP_STATE_PROCESSES + 1] = { false };

	for (uint32_t i = 0; i < given->step_count; i++) {
		const struct lp_step *s = &given->steps[i];
		const bool calls = s->op.kind == LP_OP_CALL, known = s->thread <= o->processes;
		if (!known || (calls && (!s->thread || s->answer.value.lo >= o->call_count)))
			return false;
		if (s->op.kind == LP_OP_BLOCK || s->op.kind == LP_OP_ERROR || s->op.kind == LP_OP_END ||
		    s->op.kind == LP_OP_SPAWN || s->op.kind == LP_OP_JOIN || (s->thread && calls == called[s->thread]))
			return false;
		if (calls || s->op.kind == LP_OP_RETURN)
			called[s->thread] = calls;
	}
	return given->thread <= o->processes;
}

static void follow(struct lp_state_search *s, const struct lp_exploration *given)
{
	LP_HOLDS(!s->way.followed && !s->way.steps.count && !s->wrong);
	s->way.followed = true;
	s->way.loop = given->loop ? 1 : 0;
	s->way.loop_step = given->loop - 1;
	s->out->kind = given->kind;
	s->out->text = given->text;
	s->out->thread = given->thread;
	while (learns(s->monitor, given))
		;
	for (uint32_t i = 0; i < given->step_count; i++)
		LP_PUSH(&s->way.steps, given->steps[i]);
	lp_search_describe(s);
	s->stopped = false;
	if (!s->counts->unconfirmed)
		s->out->verdict = LP_VIOLATION;
}

void lp_search_follow(struct lp_state_search *s)
{
	if (makes_sense(s->options, s->options->given))
		follow(s, s->options->given);
	if (s->out->verdict == LP_VIOLATION)
		return;
	s->out->verdict = LP_INCONCLUSIVE;
	s->out->reason = "the execution took another path than the trace: it has no error, or another one";
	s->out->kind = LP_ERROR_NONE;
	s->out->loop = 0;
}
