/* register.c -- a register.  Its state is one value: the value that was written last. */
#include "spec/kinds/shared_steps.h"

enum { INIT, RANGE };

static bool in_range(const struct lp_spec_call *c, int64_t value)
{
	return !c->param[RANGE] || (value >= 0 && value < c->param[RANGE]);
}

static enum lp_answer write_value(struct lp_state *s, const struct lp_spec_call *c)
{
	s->at[0] = c->arg[0];
	return in_range(c, c->arg[0]) ? LP_ACCEPTS : LP_REJECTS;
}

static enum lp_answer cas(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->at[0] != c->arg[0])
		return lp_answers(c, 0);
	s->at[0] = c->arg[1];
	return in_range(c, c->arg[1]) ? lp_answers(c, 1) : LP_REJECTS;
}

static enum lp_answer swap(struct lp_state *s, const struct lp_spec_call *c)
{
	const int64_t old = s->at[0];

	s->at[0] = c->arg[0];
	return in_range(c, c->arg[0]) ? lp_answers(c, old) : LP_REJECTS;
}

enum { READ, WRITE, CAS, SWAP };

static const struct lp_method methods[] = {
	[READ] = { "read get load", 0, LP_VALUE, LP_READS, lp_number_read },
	[WRITE] = { "write set put store", 1, LP_NOTHING, LP_INSERTS, write_value },
	[CAS] = { "cas compare_and_set compare_and_swap compare_exchange", 2, LP_TRUTH, LP_OBSERVES | LP_REPLACES, cas },
	[SWAP] = { "swap exchange xchg get_and_set", 1, LP_VALUE, LP_INSERTS | LP_REPLACES, swap },
};

static const struct lp_method_traits method_traits[LP_COUNT(methods)] = {
	[READ] = { LP_VERB_READ, LP_EFFECT_NONE, LP_SAYS_VALUE, 0 },
	[WRITE] = { LP_VERB_WRITE, LP_EFFECT_SETS, LP_SAYS_NOTHING, 0 },
	[CAS] = { .verb = LP_VERB_CAS },
	[SWAP] = { LP_VERB_SWAP, LP_EFFECT_SETS, LP_SAYS_VALUE, 0 },
};

static const struct lp_param params[] = {
	[INIT] = { "init", 0, "its first value, or nil" },
	[RANGE] = { "k", 0, "values are 0 .. k-1; 0: any" },
};

const struct lp_builtin lp_kind_register = {
	.kind = { .name = "register", .about = "one value, read, written, compared and swapped",
		  .data = LP_DATA_EQUALITY, .begin = lp_number_begin,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .methods = method_traits },
};
