/* cells.c -- registers, counters, indicators, snapshots: a few words of state. */
#include "spec/steps.h"

/* param: init, k */
void lp_register_begin(struct lp_state *s, const int64_t *param)
{
	lp_state_push(s, param[0]);
}

static bool in_range(const struct lp_spec_call *c, int64_t value)
{
	return !c->param[1] || (value >= 0 && value < c->param[1]);
}

enum lp_answer lp_register_read(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, s->at[0]);
}

enum lp_answer lp_register_write(struct lp_state *s, const struct lp_spec_call *c)
{
	s->at[0] = c->arg[0];
	return in_range(c, c->arg[0]) ? LP_ACCEPTS : LP_REJECTS;
}

enum lp_answer lp_register_cas(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->at[0] != c->arg[0])
		return lp_answers(c, 0);
	s->at[0] = c->arg[1];
	return in_range(c, c->arg[1]) ? lp_answers(c, 1) : LP_REJECTS;
}

enum lp_answer lp_register_swap(struct lp_state *s, const struct lp_spec_call *c)
{
	const int64_t old = s->at[0];

	s->at[0] = c->arg[0];
	return in_range(c, c->arg[0]) ? lp_answers(c, old) : LP_REJECTS;
}

/* param: init, k */
void lp_counter_begin(struct lp_state *s, const int64_t *param)
{
	lp_state_push(s, param[0]);
}

/* Adds as two's complement does, then wraps at k. */
static void add(struct lp_state *s, const struct lp_spec_call *c, int64_t amount)
{
	int64_t sum = (int64_t)((uint64_t)s->at[0] + (uint64_t)amount);

	if (c->param[1] > 0) {
		sum %= c->param[1];
		if (sum < 0)
			sum += c->param[1];
	}
	s->at[0] = sum;
}

enum lp_answer lp_counter_read(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, s->at[0]);
}

enum lp_answer lp_counter_increment(struct lp_state *s, const struct lp_spec_call *c)
{
	add(s, c, 1);
	return LP_ACCEPTS;
}

enum lp_answer lp_counter_decrement(struct lp_state *s, const struct lp_spec_call *c)
{
	add(s, c, -1);
	return LP_ACCEPTS;
}

enum lp_answer lp_counter_add(struct lp_state *s, const struct lp_spec_call *c)
{
	add(s, c, c->arg[0]);
	return LP_ACCEPTS;
}

enum lp_answer lp_counter_fetch_add(struct lp_state *s, const struct lp_spec_call *c)
{
	const int64_t old = s->at[0];

	add(s, c, c->arg[0]);
	return lp_answers(c, old);
}

enum lp_answer lp_counter_fetch_increment(struct lp_state *s, const struct lp_spec_call *c)
{
	const int64_t old = s->at[0];

	add(s, c, 1);
	return lp_answers(c, old);
}

enum lp_answer lp_counter_increment_fetch(struct lp_state *s, const struct lp_spec_call *c)
{
	add(s, c, 1);
	return lp_answers(c, s->at[0]);
}

/* Threads arrive and depart; letters are delivered and removed. */
void lp_presence_begin(struct lp_state *s, const int64_t *param)
{
	(void)param;
	lp_state_push(s, 0);
}

enum lp_answer lp_presence_up(struct lp_state *s, const struct lp_spec_call *c)
{
	(void)c;
	s->at[0]++;
	return LP_ACCEPTS;
}

enum lp_answer lp_presence_down(struct lp_state *s, const struct lp_spec_call *c)
{
	(void)c;
	return s->at[0]-- > 0 ? LP_ACCEPTS : LP_REJECTS;
}

enum lp_answer lp_presence_query(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, s->at[0] > 0);
}

/* param: n, init */
void lp_snapshot_begin(struct lp_state *s, const int64_t *param)
{
	for (int64_t i = 0; i < param[0]; i++)
		lp_state_push(s, param[1]);
}

enum lp_answer lp_snapshot_update(struct lp_state *s, const struct lp_spec_call *c)
{
	if (c->arg[0] < 0 || c->arg[0] >= s->count)
		return LP_REJECTS;
	s->at[c->arg[0]] = c->arg[1];
	return LP_ACCEPTS;
}

enum lp_answer lp_snapshot_scan(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!c->result)
		return LP_ACCEPTS;
	if (c->results != s->count)
		return LP_REJECTS;
	return memcmp(c->result, s->at, sizeof *s->at * s->count) ? LP_REJECTS : LP_ACCEPTS;
}
