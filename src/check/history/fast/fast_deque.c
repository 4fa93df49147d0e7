/* fast_deque.c -- deques with distinct values.
 *
 * Insertions are paired with removals, and a search looks for a linearization (deque_run.h).  If there is one, the search
 * rarely has to go back far.  If there is none, it might have to go back through the whole history.  So when it has failed
 * often at some moment of the history, the checker looks only at the values of that time, first at few and then at more, each with all calls
 * on it.  This is sound, because a correct history stays correct when values are left out.
 */
#include "check/history/fast/deque_run.h"

#include <string.h>

#include "check/sort.h"

/* The limit for the search among few values. */
enum { MOST_FAILURES = 1 << 14 };

static bool is_wrong(struct lp_witness *w, const char *why, uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t ops[] = { a, b, c };

	w->why = why;
	for (uint32_t i = 0; i < 3; i++)
		if (ops[i] != LP_NO_OP)
			LP_PUSH(w, ops[i]);
	return false;
}

/* Examines an operation.  Returns false if it is wrong by itself. */
static bool look_at(struct lp_deque *d, uint32_t i, struct lp_witness *w)
{
	const struct lp_history_op *op = &d->p->ops[i];
	const int64_t *param = d->p->spec.param; /* bounded, blocking */
	enum lp_deque_end end;
	const enum lp_deque_act act = lp_deque_act(d, i, &end);
	const bool unknown = op->results == LP_RESULT_UNKNOWN;

	d->may_be_taken |= act == LP_DEQUE_POP && unknown;
	d->tells_content |= act == LP_DEQUE_ASK && !unknown && !op->result;
	d->tells_content |= act == LP_DEQUE_PUSH && param[0] && (unknown || !op->result);
	if (act == LP_DEQUE_PUSH && !unknown && !op->result && (!param[0] || param[1]))
		return is_wrong(w, "an insertion failed", i, LP_NO_OP, LP_NO_OP);
	if (act == LP_DEQUE_POP && !unknown && op->result == LP_EMPTY && param[1])
		return is_wrong(w, "a removal that waits for a value found none", i, LP_NO_OP, LP_NO_OP);
	return true;
}

/* Does the operation insert or remove a known value? */
static bool has_value(const struct lp_deque *d, uint32_t i, int64_t *value)
{
	const struct lp_history_op *op = &d->p->ops[i];
	enum lp_deque_end end;
	const enum lp_deque_act act = lp_deque_act(d, i, &end);
	const bool unknown = op->results == LP_RESULT_UNKNOWN;

	*value = act == LP_DEQUE_PUSH ? op->arg : op->result;
	return act == LP_DEQUE_PUSH ? unknown || op->result : act == LP_DEQUE_POP && !unknown && op->result != LP_EMPTY;
}

/* Pairs insertions and removals in `users` by the numbers of their values.  Returns false if the method does not apply, or if
 * the history is wrong. */
static bool pair(struct lp_deque *d, const uint32_t *users, const uint32_t *number, uint32_t count, uint32_t values,
		 struct lp_witness *w)
{
	uint32_t *push = lp_alloc(sizeof *push * (values + 1));
	enum lp_deque_end end;
	bool good = true;

	memset(push, 0xff, sizeof *push * values);
	for (uint32_t i = 0; i < count && good; i++) {
		if (lp_deque_act(d, users[i], &end) != LP_DEQUE_PUSH)
			continue;
		good = push[number[i]] == LP_NO_OP && lp_problem_is_wanted(d->p, i);
		push[number[i]] = users[i];
	}
	for (uint32_t i = 0; i < count && good; i++) {
		const uint32_t in = push[number[i]], out = users[i];
		if (lp_deque_act(d, out, &end) != LP_DEQUE_POP)
			continue;
		if (in == LP_NO_OP)
			good = is_wrong(w, "a value that was never inserted is removed", out, LP_NO_OP, LP_NO_OP);
		else if (d->partner[in] != LP_NO_OP)
			good = is_wrong(w, "a value is removed twice", in, d->partner[in], out);
		else if (d->p->ops[out].end < d->p->ops[in].start)
			good = is_wrong(w, "a value is removed before it is inserted", in, out, LP_NO_OP);
		d->partner[out] = in;
		if (in != LP_NO_OP)
			d->partner[in] = out;
	}
	lp_free(push);
	return good;
}

/* Prepares the problem.  Returns false if the method does not apply, or, if the witness is filled in, the history is wrong.
 * The caller frees the partners in either case. */
static bool deque_open(struct lp_deque *d, const struct lp_problem *p, struct lp_witness *w)
{
	bool good = true;
	uint32_t count = 0;

	*d = (struct lp_deque){ .p = p, .methods = lp_kind_traits(p->spec.kind)->methods,
				.partner = lp_alloc(sizeof *d->partner * (p->count + 1)) };
	memset(d->partner, 0xff, sizeof *d->partner * p->count);
	int64_t *values = lp_alloc(sizeof *values * (p->count + 1));
	uint32_t *users = lp_alloc(sizeof *users * (p->count + 1)), *number = lp_alloc(sizeof *number * (p->count + 1));
	for (uint32_t i = 0; i < p->count && good; i++) {
		good = lp_problem_is_wanted(p, i) && look_at(d, i, w);
		if (has_value(d, i, &values[count]))
			users[count++] = i;
	}
	if (good)
		good = pair(d, users, number, count, lp_sort_number_values(values, count, number), w);
	lp_free(values);
	lp_free(users);
	lp_free(number);
	return good;
}

/* Does the operation stay correct if values are left out?  It does not if it says that the deque was not empty, or was
 * full. */
static bool is_kept(const struct lp_deque *d, uint32_t i)
{
	const struct lp_history_op *op = &d->p->ops[i];
	enum lp_deque_end end;

	if (lp_deque_act(d, i, &end) == LP_DEQUE_POP)
		return true;
	if (op->results == LP_RESULT_UNKNOWN)
		return lp_deque_act(d, i, &end) == LP_DEQUE_PUSH;
	return op->result;
}

/* Is it a removal whose value is not known? */
static bool may_take_any(const struct lp_deque *d, uint32_t i)
{
	enum lp_deque_end end;

	return lp_deque_act(d, i, &end) == LP_DEQUE_POP && d->p->ops[i].results == LP_RESULT_UNKNOWN;
}

static void list(const struct lp_deque *d, bool *chosen, uint32_t op)
{
	chosen[op] = true;
	if (d->partner[op] != LP_NO_OP)
		chosen[d->partner[op]] = true;
}

/* Are the chosen operations wrong by themselves? */
static bool is_wrong_alone(const struct lp_deque *d, const bool *chosen, struct lp_witness *w)
{
	struct {
		LP_VEC(uint32_t);
	} ops = { 0 };
	struct lp_deque_found found = { 0 };
	struct lp_witness ignored = { 0 };
	struct lp_problem part;
	struct lp_deque small;

	for (uint32_t i = 0; i < d->p->count; i++)
		if ((chosen[i] && is_kept(d, i)) || may_take_any(d, i))
			LP_PUSH(&ops, i);
	bool *open = lp_alloc_zero(ops.count + 1, sizeof *open);
	for (uint32_t i = 0; i < ops.count; i++) /* the operation may have taken a value that is left out, or found no room */
		open[i] = d->p->ops[ops.at[i]].results == LP_RESULT_UNKNOWN;
	lp_problem_part(&part, d->p, ops.at, open, ops.count);
	const bool wrong = deque_open(&small, &part, &ignored) &&
			   lp_deque_run(&small, MOST_FAILURES, &found) == LP_DEQUE_WRONG;
	for (uint32_t i = 0; wrong && i < ops.count; i++)
		LP_PUSH(w, ops.at[i]);
	lp_problem_close(&part);
	lp_free(small.partner);
	lp_free(found.blamed.at);
	lp_free(ignored.at);
	lp_free(open);
	lp_free(ops.at);
	return wrong;
}

/* Tries the values of the time at which the search failed, at first only few of them. */
static bool is_wrong_there(const struct lp_deque *d, const struct lp_deque_found *found, struct lp_witness *w)
{
	const struct lp_problem *p = d->p;
	bool *chosen = lp_alloc_zero(p->count + 1, sizeof *chosen), wrong = false;

	list(d, chosen, p->events[found->furthest] / 2);
	for (uint32_t i = 0; i < found->blamed.count; i++)
		list(d, chosen, found->blamed.at[i]);
	for (uint32_t window = 0; window <= 512 && !wrong; window = 4 * window + 8) {
		const uint32_t from = found->furthest > window ? found->furthest - window : 0;
		for (uint32_t rank = from; rank < p->ranks && rank <= found->furthest + window; rank++)
			if (window)
				list(d, chosen, p->events[rank] / 2);
		wrong = is_wrong_alone(d, chosen, w);
	}
	lp_free(chosen);
	return wrong;
}

/* Adds all calls that the search has used: those that started before it failed, and the calls on their values. */
static void witness_all(const struct lp_deque *d, const struct lp_deque_found *found, struct lp_witness *w)
{
	bool *chosen = lp_alloc_zero(d->p->count + 1, sizeof *chosen);

	for (uint32_t rank = 0; rank <= found->furthest && rank < d->p->ranks; rank++)
		list(d, chosen, d->p->events[rank] / 2);
	for (uint32_t i = 0; i < d->p->count; i++)
		if (chosen[i])
			LP_PUSH(w, i);
	lp_free(chosen);
}

static enum lp_deque_answer decide(const struct lp_deque *d, const uint32_t *failures, struct lp_witness *w)
{
	struct lp_deque_found found = { 0 };
	enum lp_deque_answer answer = LP_DEQUE_UNKNOWN;

	for (uint32_t i = 0; i < 2 && answer == LP_DEQUE_UNKNOWN && lp_problem_is_wanted(d->p, 0); i++) {
		found.furthest = 0;
		answer = lp_deque_run(d, failures[i], &found);
		if (answer == LP_DEQUE_WRONG)
			witness_all(d, &found, w);
		else if (answer == LP_DEQUE_UNKNOWN && found.furthest && is_wrong_there(d, &found, w))
			answer = LP_DEQUE_WRONG;
	}
	lp_free(found.blamed.at);
	return answer;
}

bool lp_fast_deque_within(const struct lp_problem *p, const uint32_t *failures, enum lp_finding *finding,
			  struct lp_witness *w)
{
	enum lp_deque_answer answer = LP_DEQUE_UNKNOWN;
	struct lp_deque d;

	if (deque_open(&d, p, w))
		answer = decide(&d, failures, w);
	else if (w->why)
		answer = LP_DEQUE_WRONG;
	lp_free(d.partner);
	*finding = answer == LP_DEQUE_WRONG ? LP_WRONG : LP_CORRECT;
	return answer != LP_DEQUE_UNKNOWN;
}

bool lp_fast_deque(const struct lp_problem *p, enum lp_finding *finding, struct lp_witness *w)
{
	static const uint32_t failures[] = { 1 << 12, 1 << 20 };

	return lp_fast_deque_within(p, failures, finding, w);
}
