/* account.c -- accounts by number: a specification for histories (docs/histories.md).
 *
 * Calls on different accounts do not affect each other (by_key), so that each account is checked by
 * itself, and its state is one word.
 */
#include <linchpin.h>

static enum lp_answer deposit(struct lp_state *s, const struct lp_spec_call *c)
{
	s->at[0] += c->arg[1];
	return LP_ACCEPTS;
}

static enum lp_answer withdraw(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->at[0] < c->arg[1])
		return lp_answers(c, false);
	s->at[0] -= c->arg[1];
	return lp_answers(c, true);
}

static enum lp_answer balance(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, s->at[0]);
}

static void begin(struct lp_state *s, const int64_t *param)
{
	lp_state_push(s, param[0]);
}

static const struct lp_method methods[] = {
	{ "deposit", 2, LP_NOTHING, 0, deposit },
	{ "withdraw", 2, LP_TRUTH, 0, withdraw },
	{ "balance", 1, LP_VALUE, LP_READS, balance },
};
static const struct lp_param params[] = { { "init", 0, "what is there at first" } };
static const struct lp_kind account = {
	.name = "account", .about = "deposits and withdrawals that may not overdraw",
	.by_key = true, .methods = methods, .method_count = 3,
	.params = params, .param_count = 1, .begin = begin,
};
LP_SPEC_OWN(account)
