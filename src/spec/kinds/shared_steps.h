/* shared_steps.h -- steps that several kinds share.
 *
 * The state of a sequence lists its values from front to back.  The state of a set lists its values in ascending order.
 */
#ifndef LP_SPEC_KINDS_SHARED_STEPS_H
#define LP_SPEC_KINDS_SHARED_STEPS_H

#include "spec/kinds/shared_failures.h"
#include "spec/traits.h"

#define LP_COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

/* ---- sequences; parameters: bounded, blocking, and which failures are allowed ---- */

enum { LP_BOUNDED, LP_BLOCKING, LP_LENIENT, LP_SEQUENCE_PARAMS = LP_LENIENT + LP_LENIENCIES };

#define LP_ROOM_PARAMS                                                                 \
	{ "bounded", 0, "a full one has that many values; 0: never full" },            \
	{ "blocking", 0, "1: a removal waits for a value, an insertion for room" },    \
	LP_LENIENCY_PARAMS

static inline enum lp_answer lp_list_push(struct lp_state *s, const struct lp_spec_call *c, uint32_t at)
{
	if (c->param[LP_BOUNDED] && s->count >= c->param[LP_BOUNDED])
		return c->param[LP_BLOCKING] ? LP_BLOCKS : lp_answers(c, 0);
	if (lp_seems_full(s, c, &c->param[LP_LENIENT], c->param[LP_BOUNDED]))
		return LP_ACCEPTS;
	lp_state_insert(s, at, c->arg[0]);
	return lp_answers(c, 1);
}

/* Removes a value from the back or from the front. */
static inline enum lp_answer lp_list_pop(struct lp_state *s, const struct lp_spec_call *c, bool back)
{
	const uint32_t at = back ? s->count - 1 : 0;

	if (!s->count)
		return c->param[LP_BLOCKING] ? LP_BLOCKS : lp_answers(c, LP_EMPTY);
	if (lp_seems_empty(s, c, &c->param[LP_LENIENT], LP_EMPTY, back))
		return LP_ACCEPTS;
	const int64_t value = s->at[at];
	lp_state_remove(s, at);
	return lp_answers(c, value);
}

static inline enum lp_answer lp_list_peek(const struct lp_state *s, const struct lp_spec_call *c, bool back)
{
	if (s->count && lp_seems_empty(s, c, &c->param[LP_LENIENT], LP_EMPTY, back))
		return LP_ACCEPTS;
	return lp_answers(c, s->count ? s->at[back ? s->count - 1 : 0] : LP_EMPTY);
}

static inline enum lp_answer lp_list_may_be_empty(const struct lp_state *s, const struct lp_spec_call *c, bool back)
{
	return s->count && lp_seems_empty(s, c, &c->param[LP_LENIENT], 1, back) ? LP_ACCEPTS : lp_answers(c, !s->count);
}

/* ---- all states that are lists of words ---- */

static inline enum lp_answer lp_list_is_empty(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, !s->count);
}

static inline enum lp_answer lp_list_size(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, s->count);
}

/* ---- sorted words ---- */

static inline enum lp_answer lp_sorted_remove(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!lp_state_has(s, c->arg[0]))
		return lp_answers(c, 0);
	lp_state_remove(s, lp_state_place(s, c->arg[0]));
	return lp_answers(c, 1);
}

static inline enum lp_answer lp_sorted_contains(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, lp_state_has(s, c->arg[0]));
}

/* ---- one number ---- */

/* parameter 0: init */
static inline void lp_number_begin(struct lp_state *s, const int64_t *param)
{
	lp_state_push(s, param[0]);
}

static inline enum lp_answer lp_number_read(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, s->at[0]);
}

/* For lp_traits.tells.  A method with the result LP_VALUE returns the number either before or after its change.  To
 * find out which, the step is tried with the result as the old number.  If the step does not accept, the result is
 * the new number. */
static inline bool lp_number_tells(struct lp_state *to, const struct lp_method *m, const struct lp_spec_call *c)
{
	if (m->result != LP_VALUE || c->results != 1)
		return false;
	lp_state_push(to, c->result[0]);
	if (m->step(to, c) == LP_ACCEPTS)
		return true;
	to->count = 0;
	lp_state_push(to, c->result[0]);
	return true;
}

/* ---- locks ---- */

/* Did the call succeed?  Only a call that tries, whose result is LP_TRUTH, may fail. */
static inline bool lp_lock_succeeded(const struct lp_method *m, const struct lp_spec_call *c)
{
	return m->result != LP_TRUTH || (c->results == 1 && c->result[0] == 1);
}

#endif
