/* deque.c -- a deque.  Its state lists the values from front to back. */
#include "spec/kinds/shared_steps.h"

static enum lp_answer push_front(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_list_push(s, c, 0);
}

static enum lp_answer push_back(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_list_push(s, c, s->count);
}

static enum lp_answer pop_front(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_list_pop(s, c, false);
}

static enum lp_answer pop_back(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_list_pop(s, c, true);
}

/* The call may have looked at either end. */
static enum lp_answer is_empty(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_list_may_be_empty(s, c, false) == LP_ACCEPTS ? LP_ACCEPTS : lp_list_may_be_empty(s, c, true);
}

enum { PUSH_FRONT, PUSH_BACK, POP_FRONT, POP_BACK, IS_EMPTY };

static const struct lp_method methods[] = {
	[PUSH_FRONT] = { "push_front push_left push_top add_first", 1, LP_SUCCESS, LP_INSERTS, push_front },
	[PUSH_BACK] = { "push_back push_right push_bottom add_last push", 1, LP_SUCCESS, LP_INSERTS, push_back },
	[POP_FRONT] = { "pop_front pop_left pop_top remove_first steal", 0, LP_VALUE_OR_EMPTY,
			LP_REMOVES | LP_OBSERVES, pop_front },
	[POP_BACK] = { "pop_back pop_right pop_bottom remove_last pop", 0, LP_VALUE_OR_EMPTY,
		       LP_REMOVES | LP_OBSERVES, pop_back },
	[IS_EMPTY] = { "is_empty empty", 0, LP_TRUTH, LP_READS, is_empty },
};

static const struct lp_method_traits method_traits[LP_COUNT(methods)] = {
	[PUSH_FRONT] = { .verb = LP_VERB_PUSH_FRONT },
	[PUSH_BACK] = { .verb = LP_VERB_PUSH_BACK },
	[POP_FRONT] = { .verb = LP_VERB_POP_FRONT },
	[POP_BACK] = { .verb = LP_VERB_POP_BACK },
	[IS_EMPTY] = { .verb = LP_VERB_IS_EMPTY },
};

static const struct lp_param params[] = { LP_ROOM_PARAMS };

const struct lp_builtin lp_kind_deque = {
	.kind = { .name = "deque", .about = "in and out at both ends", .data = LP_DATA_EQUALITY,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .methods = method_traits, .overlap_params = LP_OVERLAP_PARAMS(LP_LENIENT),
		    .leaves = LP_LEAVES_EITHER_END },
};
