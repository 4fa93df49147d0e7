/* state_follow.c -- an execution that was written to a file, done once more.
 *
 * Nothing is searched: the steps say which process is next, what it calls, and what is chosen.  Memory, results and blocks
 * follow from that, since memory is sequentially consistent.  state_replay.c does the steps, as it does those of a
 * violation that was just found.  What is different is that nothing is believed: the file may be of another version
 * of the object, so whether the end is wrong is decided here.
 */
#include <string.h>

#include "base/error.h"
#include "explore/state/state_search.h"

/* Asks the monitor of all calls and returns, until it learns nothing more from them: it gives its answer on what it has
 * learnt when it begins the next time. */
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

/* Do calls and returns alternate, and is what is called there?  The monitor may only be asked about such. */
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
	s->out->reason = "the execution of the trace went another way: nothing went wrong, or something else";
	s->out->kind = LP_ERROR_NONE;
	s->out->loop = 0;
}
