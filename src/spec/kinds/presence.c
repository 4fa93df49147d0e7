/* presence.c -- kinds that only tell whether a number is greater than 0.  The number is the state:
 * how many threads are present (snzi), or how many letters (mailbox). */
#include "spec/kinds/shared_steps.h"

static void begin(struct lp_state *s, const int64_t *param)
{
	(void)param;
	lp_state_push(s, 0);
}

static enum lp_answer up(struct lp_state *s, const struct lp_spec_call *c)
{
	(void)c;
	s->at[0]++;
	return LP_ACCEPTS;
}

static enum lp_answer down(struct lp_state *s, const struct lp_spec_call *c)
{
	(void)c;
	return s->at[0]-- > 0 ? LP_ACCEPTS : LP_REJECTS;
}

static enum lp_answer is_any(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, s->at[0] > 0);
}

static const struct lp_method snzi_methods[] = {
	{ "arrive", 0, LP_NOTHING, 0, up },
	{ "depart", 0, LP_NOTHING, 0, down },
	{ "query", 0, LP_TRUTH, LP_READS, is_any },
};

static const struct lp_method mailbox_methods[] = {
	{ "deliver", 0, LP_NOTHING, 0, up },
	{ "remove", 0, LP_NOTHING, 0, down },
	{ "check", 0, LP_TRUTH, LP_READS, is_any },
};

const struct lp_builtin lp_kind_snzi = {
	.kind = { .name = "snzi", .about = "scalable non-zero indicator: have more threads arrived than departed?", .data = LP_DATA_NONE,
		  .begin = begin, .methods = snzi_methods, .method_count = LP_COUNT(snzi_methods) },
};

const struct lp_builtin lp_kind_mailbox = {
	.kind = { .name = "mailbox", .about = "letters are delivered, looked for, removed", .data = LP_DATA_NONE,
		  .begin = begin, .methods = mailbox_methods, .method_count = LP_COUNT(mailbox_methods) },
};
