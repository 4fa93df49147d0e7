/* shift_attempts.c -- finds the answers with which an attempt can only fail. */
#include "explore/reduce/undone/shift_attempts.h"

#include "base/error.h"
#include "explore/graph/grow.h"

bool lp_shift_values_have(const struct lp_shift_values *v, struct lp_value value)
{
	uint32_t i = 0;

	while (i < v->count && !lp_value_equal(v->at[i], value))
		i++;
	return i < v->count;
}

void lp_shift_values_add(struct lp_shift_values *v, struct lp_value value)
{
	if (lp_shift_values_have(v, value))
		return;
	v->more |= v->count == LP_SHIFT_VALUES;
	if (!v->more)
		v->at[v->count++] = value;
}

struct lp_value lp_shift_sum(struct lp_value a, struct lp_value b, unsigned size)
{
	LP_HOLDS(size <= 8);
	return lp_value_truncate(lp_value(a.lo + b.lo), size);
}

bool lp_shift_is_access(const struct lp_op *op, struct lp_value *by)
{
	*by = lp_value(0);
	if (op->when != LP_ALWAYS || op->otherwise != LP_ELSE_FAIL || op->internal || op->lock || op->partial || op->keeps ||
	    op->order == LP_PLAIN || op->size > 8)
		return false;
	if (op->kind == LP_OP_RMW && !op->weak && op->arrives == LP_NO_ARRIVAL && (op->rmw == LP_ADD || op->rmw == LP_SUB))
		*by = lp_value_truncate(lp_value(op->rmw == LP_ADD ? op->operand.lo : 0 - op->operand.lo), op->size);
	return op->kind == LP_OP_LOAD || by->lo;
}

/* The read that leads to a state. */
struct step {
	bool load;
	struct lp_value answer;
};

/* The thread, which has shifted the location by `sum`, comes to state i again without having come home. May it wait
 * there? */
static bool comes_round(struct lp_shift_attempts *a, uint32_t i, struct lp_value sum, const struct step *by)
{
	if (!lp_value_equal(a->state[i].sum, sum))
		return false;
	if (!a->state[i].open)
		return true;
	if (sum.lo || !by->load)
		return false;
	lp_shift_values_add(&a->waits, by->answer);
	return true;
}

static bool note_transient(struct lp_shift_attempts *a, struct lp_value sum)
{
	for (uint32_t i = 0; i < a->transients; i++)
		if (lp_value_equal(a->transient[i], sum))
			return true;
	a->too_many |= a->transients == LP_SHIFT_TRANSIENTS;
	if (sum.lo && !a->too_many)
		a->transient[a->transients++] = sum;
	return !a->too_many;
}

static bool goes_on(struct lp_shift_attempts *a, uint32_t depth, struct lp_value sum, const struct step *by);

/* Does the thread only come back if the operation, the last of a path, gets this answer? Before it,
 * the thread has shifted the location by `sum`. */
static bool is_answered(struct lp_shift_attempts *a, const struct lp_op *op, struct lp_value answer, uint32_t depth, struct lp_value sum)
{
	const struct step step = { op->kind == LP_OP_LOAD, answer };
	struct lp_value by;

	if (depth == LP_SHIFT_DEPTH || !lp_shift_is_access(op, &by))
		return false;
	a->path[depth] = (struct lp_response){ .value = answer, .failed = step.load };
	if (!step.load)
		a->path[depth].wrote = lp_op_result(op, answer);
	const struct lp_value after = lp_shift_sum(sum, by, op->size);
	LP_HOLDS(!step.load || lp_value_equal(after, sum)); /* a load shifts by nothing */
	return note_transient(a, after) && goes_on(a, depth + 1, after, &step);
}

/* Does the thread come back after `depth` answers, with all further answers? */
static bool goes_on(struct lp_shift_attempts *a, uint32_t depth, struct lp_value sum, const struct step *by)
{
	const struct lp_frame *f = lp_top(a->x);
	const struct lp_to_try to = { .at = a->home->at, .thread = a->home->thread, .answers = a->path, .count = depth, .reached = a->reached };
	struct lp_tried trial;
	const struct lp_op *next = lp_machine_try(&a->x->machine, &f->g, &f->seq, &to, &trial);
	struct lp_value none;
	uint32_t i = 0;

	LP_HOLDS(depth <= LP_SHIFT_DEPTH && a->states <= LP_SHIFT_STATES);
	if (!next || trial.observed || trial.noise || !lp_shift_is_access(next, &none) || next->loc != a->op.loc || next->size != a->op.size)
		return false;
	const struct lp_op op = *next;
	const uint32_t live = lp_explorer_live_state(a->x, a->home->thread, &op);
	if (!live || live == a->home->live)
		return live && !sum.lo;
	while (i < a->states && a->state[i].live != live)
		i++;
	if (i < a->states)
		return comes_round(a, i, sum, by);
	if (i == LP_SHIFT_STATES)
		return false;
	a->state[a->states++].live = live;
	a->state[i].sum = sum;
	a->state[i].open = true;
	for (uint32_t n = 0; n < a->answers->count; n++) {
		if (!is_answered(a, &op, lp_shift_sum(a->answers->at[n], sum, op.size), depth, sum))
			return false;
		if (op.kind == LP_OP_RMW && op.unused)
			break; /* the answer makes no difference */
	}
	LP_HOLDS(i < a->states && a->state[i].live == live && a->state[i].open); /* what comes later is only added */
	a->state[i].open = false;
	return true;
}

struct lp_shift_attempts lp_shift_attempts_of(struct lp_explorer *x, const struct lp_shift_place *home, const struct lp_shift_values *answers)
{
	return (struct lp_shift_attempts){ .x = x, .home = home, .op = x->ops.op.at[home->op].op, .answers = answers };
}

bool lp_shift_attempt_fails(struct lp_shift_attempts *a, struct lp_value answer)
{
	const uint32_t states = a->states, transients = a->transients, waits = a->waits.count;

	if (is_answered(a, &a->op, answer, 0, lp_value(0)))
		return true;
	a->states = states; /* results found on the way may rely on an assumption that turned out to
	                     * be false */
	LP_HOLDS(a->transients >= transients && a->waits.count >= waits);
	a->transients = transients;
	a->waits.count = waits;
	return false;
}
