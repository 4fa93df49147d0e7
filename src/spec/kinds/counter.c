/* counter.c -- a counter.  Its state is one number. */
#include "spec/kinds/shared_steps.h"

enum { INIT, MODULUS };

/* Adds as two's complement does, then wraps at k. */
static void add_to(struct lp_state *s, const struct lp_spec_call *c, int64_t amount)
{
	int64_t sum = (int64_t)((uint64_t)s->at[0] + (uint64_t)amount);

	if (c->param[MODULUS] > 0) {
		sum %= c->param[MODULUS];
		if (sum < 0)
			sum += c->param[MODULUS];
	}
	s->at[0] = sum;
}

static enum lp_answer increment(struct lp_state *s, const struct lp_spec_call *c)
{
	add_to(s, c, 1);
	return LP_ACCEPTS;
}

static enum lp_answer decrement(struct lp_state *s, const struct lp_spec_call *c)
{
	add_to(s, c, -1);
	return LP_ACCEPTS;
}

static enum lp_answer add(struct lp_state *s, const struct lp_spec_call *c)
{
	add_to(s, c, c->arg[0]);
	return LP_ACCEPTS;
}

static enum lp_answer fetch_add(struct lp_state *s, const struct lp_spec_call *c)
{
	const int64_t old = s->at[0];

	add_to(s, c, c->arg[0]);
	return lp_answers(c, old);
}

static enum lp_answer fetch_increment(struct lp_state *s, const struct lp_spec_call *c)
{
	const int64_t old = s->at[0];

	add_to(s, c, 1);
	return lp_answers(c, old);
}

static enum lp_answer increment_fetch(struct lp_state *s, const struct lp_spec_call *c)
{
	add_to(s, c, 1);
	return lp_answers(c, s->at[0]);
}

enum { READ, INCREMENT, DECREMENT, ADD, FETCH_ADD, FETCH_INCREMENT, INCREMENT_FETCH };

static const struct lp_method methods[] = {
	[READ] = { "read get load value", 0, LP_VALUE, LP_READS, lp_number_read },
	[INCREMENT] = { "increment inc", 0, LP_NOTHING, 0, increment },
	[DECREMENT] = { "decrement dec", 0, LP_NOTHING, 0, decrement },
	[ADD] = { "add", 1, LP_NOTHING, 0, add },
	[FETCH_ADD] = { "fetch_add get_and_add", 1, LP_VALUE, 0, fetch_add },
	[FETCH_INCREMENT] = { "fetch_increment get_and_increment fetch_inc", 0, LP_VALUE, 0, fetch_increment },
	[INCREMENT_FETCH] = { "increment_fetch increment_and_get inc_fetch", 0, LP_VALUE, 0, increment_fetch },
};

static const struct lp_method_traits method_traits[LP_COUNT(methods)] = {
	[READ] = { .look = LP_SAYS_SUM },
	[INCREMENT] = { .effect = LP_EFFECT_ADDS, .look = LP_SAYS_NOTHING, .amount = 1 },
	[DECREMENT] = { .effect = LP_EFFECT_ADDS, .look = LP_SAYS_NOTHING, .amount = -1 },
	[ADD] = { .effect = LP_EFFECT_ADDS, .look = LP_SAYS_NOTHING },
	[FETCH_ADD] = { .effect = LP_EFFECT_ADDS, .look = LP_SAYS_SUM },
	[FETCH_INCREMENT] = { .effect = LP_EFFECT_ADDS, .look = LP_SAYS_SUM, .amount = 1 },
	[INCREMENT_FETCH] = { .effect = LP_EFFECT_ADDS, .look = LP_SAYS_SUM_AFTER, .amount = 1 },
};

static const struct lp_param params[] = {
	[INIT] = { "init", 0, "its first value" },
	[MODULUS] = { "k", 0, "counts modulo k; 0: does not wrap" },
};

const struct lp_builtin lp_kind_counter = {
	.kind = { .name = "counter", .about = "a number that is counted up and down",
		  .data = LP_DATA_NONE, .begin = lp_number_begin,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .methods = method_traits, .numbers = true, .tells = lp_number_tells },
};
