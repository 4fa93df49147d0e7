/* state_lasso.c -- checks an infinite run while its steps are replayed.
 *
 * The search has found the run as a cycle of its graph, with reductions.  This check uses neither the graph nor an
 * automaton: it gets the steps of the run one at a time, and applies the definitions of docs/states.md.
 */
#include <string.h>

#include "base/error.h"
#include "explore/state/state_search.h"
#include "ltl/ltl_word.h"

void lp_endless_close(struct lp_endless *r)
{
	lp_free(r->first);
	lp_free(r->letters.at);
	*r = (struct lp_endless){ .first = NULL };
}

void lp_endless_begin(struct lp_endless *r, struct lp_state_search *s, const struct lp_snapshot *n)
{
	lp_endless_close(r);
	r->always = UINT32_MAX;
	if (s->options->runs)
		LP_PUSH(&r->letters, lp_search_atoms(s, n));
}

/* Is the process in a call, and can it take a step? */
static bool is_able(struct lp_state_search *s, const struct lp_snapshot *n, uint32_t process)
{
	const struct lp_place_of p = *lp_automaton_place(&s->a, lp_local_of(n, process));

	if (p.op.kind == LP_OP_CALL || p.op.kind == LP_OP_BLOCK)
		return false;
	return !lp_op_is_access(&p.op) || p.op.otherwise == LP_ELSE_FAIL || lp_op_holds(&p.op, lp_search_read(s, n, &p));
}

/* Examines a state of the cycle. */
static void look(struct lp_endless *r, struct lp_state_search *s, const struct lp_snapshot *n)
{
	const struct lp_state_monitor *m = s->monitor;

	LP_HOLDS(s->options->processes < 32); /* a bit each */
	for (uint32_t i = 0; i < s->options->processes; i++) {
		const uint32_t bit = UINT32_C(1) << i;
		const bool able = is_able(s, n, i);
		if (lp_process_is_idle(s, n, i))
			r->idle |= bit;
		else if (lp_freedom_is_fair(s->options->freedom) && !m->may_wait(m->closure, n->set, i))
			r->owes |= bit;
		if (lp_automaton_place(&s->a, lp_local_of(n, i))->op.kind == LP_OP_BLOCK)
			r->barred |= bit;
		r->able |= able ? bit : 0;
		r->always &= able ? ~UINT32_C(0) : ~bit;
	}
}

void lp_endless_pass(struct lp_endless *r, struct lp_state_search *s, const struct lp_snapshot *n, uint32_t step)
{
	r->set = n->set;
	LP_HOLDS(!s->way.loop || step < s->way.loop_step || step == s->way.loop_step || r->first);
	if (!s->way.loop || step != s->way.loop_step)
		return;
	LP_HOLDS(!r->first && !r->took); /* the cycle begins once */
	r->first = lp_alloc(sizeof *r->first);
	*r->first = *n;
	look(r, s, n);
}

void lp_endless_step(struct lp_endless *r, struct lp_state_search *s, const struct lp_snapshot *n, uint32_t i, const struct lp_step *step)
{
	const struct lp_state_runs *runs = s->options->runs;
	LP_HOLDS(step->thread <= s->options->processes);
	const bool result = step->op.kind == LP_OP_RETURN;
	uint32_t event = 0;

	if (runs && step->thread && (result || step->op.kind == LP_OP_CALL))
		event = runs->event(runs->closure, r->set, step->thread - 1, step->op.kind,
				    (int64_t)(result ? step->op.operand.lo : step->answer.value.lo));
	if (runs)
		LP_PUSH(&r->letters, lp_search_atoms(s, n) | event);
	if (!s->way.loop || i < s->way.loop_step || !step->thread)
		return;
	r->took |= UINT32_C(1) << (step->thread - 1);
	r->returned |= result ? UINT32_C(1) << (step->thread - 1) : 0;
	look(r, s, n);
}

/* Is the last state of the cycle equal to its first, except for the names of blocks and of processes
 * that are alike? */
static bool is_closed(struct lp_endless *r, struct lp_state_search *s, const struct lp_snapshot *n)
{
	struct lp_snapshot *last = lp_alloc(sizeof *last);

	*last = *n;
	const struct lp_fingerprint a = lp_search_normal(s, r->first), b = lp_search_normal(s, last);
	lp_free(last);
	return a.a == b.a && a.b == b.b;
}

/* For a run that stays in its last state, this state is the cycle. */
static void stay(struct lp_endless *r, struct lp_state_search *s, const struct lp_snapshot *n)
{
	LP_PUSH(&r->letters, lp_search_atoms(s, n));
	look(r, s, n);
}

static bool is_fair(const struct lp_endless *r, enum lp_fairness fairness)
{
	const uint32_t must = fairness == LP_STRONGLY_FAIR ? r->able : r->always & r->able;

	return fairness == LP_UNFAIR || (!(must & ~r->took) && !r->barred);
}

static bool violates_formula(struct lp_endless *r, struct lp_state_search *s, const struct lp_snapshot *n)
{
	const struct lp_state_runs *runs = s->options->runs;

	if (!s->way.loop) {
		stay(r, s, n);
		/* A run stays in a state only if no process can take a step, or none is in a call. */
		if (r->able)
			return false;
	}
	const uint32_t loop = s->way.loop ? s->way.loop_step + 1 : r->letters.count - 1;
	LP_HOLDS(loop < r->letters.count);
	return is_fair(r, runs->fairness) &&
	       !lp_ltl_holds(runs->ltl, runs->formula, r->letters.at, r->letters.count, loop);
}

bool lp_endless_violates(struct lp_endless *r, struct lp_state_search *s, const struct lp_snapshot *n)
{
	const uint32_t all = (UINT32_C(1) << s->options->processes) - 1;
	const uint32_t victim = s->out->thread ? UINT32_C(1) << (s->out->thread - 1) : 0;
	const bool fair = ((r->took | r->idle) & all) == all;

	if (s->way.loop && (!r->first || !is_closed(r, s, n)))
		return false;
	LP_HOLDS(!(r->took & ~all) && !(r->returned & ~r->took));
	if (s->options->runs)
		return violates_formula(r, s, n);
	switch (s->options->freedom) {
	case LP_OBSTRUCTION_FREE:
		return r->took && !(r->took & (r->took - 1)) && !r->returned;
	case LP_LOCK_FREE:
		return r->took && !r->returned;
	case LP_WAIT_FREE:
		return (r->took & victim) && !(r->returned & victim);
	case LP_DEADLOCK_FREE:
		return fair && r->took && !r->returned && r->owes;
	case LP_STARVATION_FREE:
		return fair && !((r->returned | r->idle) & victim) && (r->owes & victim);
	case LP_ANY:
		break;
	}
	return false;
}
