/* attempt.c -- explains where the longest attempt fails.
 *
 * The attempt is run again, on the specification alone.  Then each remaining call is tried in the final state.  A
 * specification only says whether a given result is correct.  So the result that a call would have in this state is
 * found by trying candidates: a correct result is nearly always a word of the state, or differs from such a word by 1.
 */
#include "check/clients/attempt.h"

#include <string.h>

struct attempt {
	const struct lp_problem *p;
	struct lp_state state, trial;
	uint32_t *place; /* for each operation its place in the attempt; LP_NO_OP: it is not in the attempt */
	uint32_t placed; /* the number of operations in the attempt */
};

static bool accepts(struct attempt *a, uint32_t op, const struct lp_spec_call *call)
{
	struct lp_spec_call copy = *call;

	lp_state_copy(&a->trial, &a->state);
	return lp_spec_step(&a->p->spec, a->p->ops[op].method, &a->trial, &copy) == LP_ACCEPTS;
}

static bool gives(struct attempt *a, uint32_t op, int64_t value, struct lp_stuck *stuck)
{
	struct lp_spec_call call = lp_problem_call(a->p, op);

	call.result = &value;
	call.results = 1;
	if (!accepts(a, op, &call))
		return false;
	stuck->gives_known = true;
	stuck->gives = value;
	return true;
}

/* Finds a result that the operation could have in the current state. */
static void find_result(struct attempt *a, uint32_t op, struct lp_stuck *stuck)
{
	static const int64_t words[] = { LP_EMPTY, LP_NIL };
	const enum lp_shape shape = lp_op_method(a->p, &a->p->ops[op])->result;
	bool found = false;

	if (shape == LP_NOTHING || shape == LP_VALUES)
		return;
	if (a->p->history->at[a->p->ops[op].call].args != lp_op_method(a->p, &a->p->ops[op])->args)
		return; /* the operation stands for one key of a whole read, whose result is larger */
	if (shape != LP_TRUTH && shape != LP_SUCCESS) {
		for (uint32_t i = 0; i < a->state.count && !found; i++)
			found = gives(a, op, a->state.at[i], stuck);
		for (size_t i = 0; i < sizeof words / sizeof *words && !found; i++)
			found = gives(a, op, words[i], stuck);
		for (uint32_t i = 0; i < a->state.count && !found; i++)
			if (a->state.at[i] > LP_LOWEST && a->state.at[i] < INT64_MAX)
				found = gives(a, op, a->state.at[i] + 1, stuck) ||
					gives(a, op, a->state.at[i] - 1, stuck);
	}
	for (int64_t i = 0; i <= (int64_t)a->state.count + a->placed + 1 && !found; i++)
		found = gives(a, op, i, stuck);
}

/* Returns, for each node, a remaining operation that has to come before it, or LP_NO_OP.  Visits each node after
 * its predecessors. */
static uint32_t *left_before(const struct attempt *a, const struct lp_precedence *order)
{
	uint32_t *left = lp_alloc(sizeof *left * order->nodes);
	uint32_t *before = lp_alloc(sizeof *before * order->nodes);
	uint32_t *done = lp_alloc(sizeof *done * order->nodes), count = 0;

	for (uint32_t n = 0; n < order->nodes; n++) {
		left[n] = LP_NO_OP;
		before[n] = order->before[n];
		if (!before[n])
			done[count++] = n;
	}
	for (uint32_t at = 0; at < count; at++) {
		const uint32_t n = done[at];
		const bool is_left = n < a->p->count && a->place[n] == LP_NO_OP;
		for (uint32_t i = order->first[n]; i < order->first[n + 1]; i++) {
			const uint32_t next = order->next[i];
			if (left[next] == LP_NO_OP)
				left[next] = is_left ? n : left[n];
			if (!--before[next])
				done[count++] = next;
		}
	}
	lp_free(before);
	lp_free(done);
	return left;
}

/* Finds out why the operation cannot come next; returns false if it can. */
static bool explain_op(struct attempt *a, uint32_t op, uint32_t first, struct lp_stuck *stuck)
{
	struct lp_spec_call call = lp_problem_call(a->p, op);

	*stuck = (struct lp_stuck){ .call = a->p->ops[op].call };
	if (first != LP_NO_OP) {
		stuck->why = LP_STUCK_LATER;
		stuck->first = a->p->ops[first].call;
		return true;
	}
	lp_state_copy(&a->trial, &a->state);
	switch (lp_spec_step(&a->p->spec, a->p->ops[op].method, &a->trial, &call)) {
	case LP_ACCEPTS:
		return false;
	case LP_BLOCKS:
		stuck->why = LP_STUCK_BLOCKED;
		break;
	case LP_REJECTS:
		stuck->why = LP_STUCK_REJECTED;
		find_result(a, op, stuck);
		break;
	}
	return true;
}

static void run_again(struct attempt *a, const struct lp_history_search *found)
{
	lp_state_begin(&a->state, &a->p->spec);
	for (uint32_t i = 0; i < found->count; i++) {
		struct lp_spec_call call = lp_problem_call(a->p, found->order[i]);
		call.choice = found->choice[i];
		/* An operation that is correct only because others overlap does not change the state. */
		lp_state_copy(&a->trial, &a->state);
		if (lp_spec_step(&a->p->spec, a->p->ops[found->order[i]].method, &a->trial, &call) == LP_ACCEPTS)
			lp_state_copy(&a->state, &a->trial);
		a->place[found->order[i]] = i;
	}
	a->placed = found->count;
}

void lp_attempt_keep(const struct lp_problem *p, const struct lp_precedence *order,
		     const struct lp_history_search *found, enum lp_property property,
		     struct lp_check_result *r)
{
	enum { MANY = 1000 }; /* a report with more would be too long to read */
	struct attempt a = { .p = p };

	a.place = lp_alloc(sizeof *a.place * p->count);
	memset(a.place, 0xff, sizeof *a.place * p->count);
	r->partial = lp_alloc(sizeof *r->partial * found->count);
	r->partial_count = found->count;
	for (uint32_t i = 0; i < found->count; i++)
		r->partial[i] = p->ops[found->order[i]].call;
	if (property == LP_QUASI) {
		lp_free(a.place);
		return;
	}

	lp_state_open(&a.state);
	lp_state_open(&a.trial);
	run_again(&a, found);
	uint32_t *left = left_before(&a, order);
	r->stuck = lp_alloc(sizeof *r->stuck * (p->count < MANY ? p->count : MANY));
	for (uint32_t op = 0; op < p->count && r->stuck_count < MANY; op++)
		if (a.place[op] == LP_NO_OP && !lp_op_is_pending(&p->ops[op]) &&
		    explain_op(&a, op, left[op], &r->stuck[r->stuck_count]))
			r->stuck_count++;
	lp_state_close(&a.state);
	lp_state_close(&a.trial);
	lp_free(left);
	lp_free(a.place);
}
