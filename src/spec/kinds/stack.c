/* stack.c -- a stack.  Its state lists the values from front to back; the last one is on top. */
#include "spec/kinds/shared_laws.h"
#include "spec/kinds/shared_steps.h"

static enum lp_answer push(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_list_push(s, c, s->count);
}

static enum lp_answer pop(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_list_pop(s, c, true);
}

static enum lp_answer top(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_list_peek(s, c, true);
}

static enum lp_answer is_empty(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_list_may_be_empty(s, c, true);
}

enum { PUSH, POP, TOP, IS_EMPTY };

static const struct lp_method methods[] = {
	[PUSH] = { "push insert add put", 1, LP_SUCCESS, LP_INSERTS, push },
	[POP] = { "pop remove take get", 0, LP_VALUE_OR_EMPTY, LP_REMOVES | LP_OBSERVES, pop },
	[TOP] = { "top peek", 0, LP_VALUE_OR_EMPTY, LP_READS, top },
	[IS_EMPTY] = { "is_empty empty", 0, LP_TRUTH, LP_READS, is_empty },
};

static const struct lp_method_traits method_traits[LP_COUNT(methods)] = {
	[PUSH] = { .verb = LP_VERB_INSERT },
	[POP] = { .verb = LP_VERB_TAKE },
	[TOP] = { .verb = LP_VERB_PEEK },
	[IS_EMPTY] = { .verb = LP_VERB_IS_EMPTY },
};

static const struct lp_param params[] = { LP_ROOM_PARAMS };

static const char laws[] = LP_CONTAINER_LAWS
	"violation lv = exists x1, y1, x2: match(x1, y1) and Inserts(x2) and before(x1, x2)\n"
	"    and before(x2, y1) and (stays(x2) or (exists y2: match(x2, y2) and before(y1, y2)));\n";

const struct lp_builtin lp_kind_stack = {
	.kind = { .name = "stack", .about = "last in, first out", .data = LP_DATA_EQUALITY,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .methods = method_traits, .overlap_params = LP_OVERLAP_PARAMS(LP_LENIENT),
		    .leaves = LP_LEAVES_LAST_IN, .formulae = laws },
};
