/* set.c -- a set.  Its state lists the keys in ascending order. */
#include "spec/kinds/shared_entries.h"
#include "spec/kinds/shared_steps.h"

static enum lp_answer insert(struct lp_state *s, const struct lp_spec_call *c)
{
	if (lp_state_has(s, c->arg[0]))
		return lp_answers(c, 0);
	lp_state_insert(s, lp_state_place(s, c->arg[0]), c->arg[0]);
	return lp_answers(c, 1);
}

static enum lp_answer read_all(struct lp_state *s, const struct lp_spec_call *c)
{
	return c->result ? lp_entries_answer(s, c, 1) : LP_ACCEPTS;
}

enum { INSERT, REMOVE, CONTAINS, IS_EMPTY, SIZE, READ };

static const struct lp_method methods[] = {
	[INSERT] = { "insert add put", 1, LP_TRUTH, LP_INSERTS | LP_OBSERVES, insert },
	[REMOVE] = { "remove delete erase", 1, LP_TRUTH, LP_REMOVES | LP_OBSERVES, lp_sorted_remove },
	[CONTAINS] = { "contains find lookup search member has", 1, LP_TRUTH, LP_READS, lp_sorted_contains },
	[IS_EMPTY] = { "is_empty empty", 0, LP_TRUTH, LP_READS | LP_WHOLE, lp_list_is_empty },
	[SIZE] = { "size count", 0, LP_VALUE, LP_READS | LP_WHOLE, lp_list_size },
	[READ] = { "read elements members", 0, LP_VALUES, LP_READS | LP_WHOLE, read_all },
};

static const struct lp_method_traits method_traits[LP_COUNT(methods)] = {
	[INSERT] = { LP_VERB_INSERT, LP_EFFECT_SETS, LP_SAYS_NOT_HELD, 0 },
	[REMOVE] = { LP_VERB_ERASE, LP_EFFECT_ERASES, LP_SAYS_HELD, 0 },
	[CONTAINS] = { LP_VERB_CONTAINS, LP_EFFECT_NONE, LP_SAYS_HELD, 0 },
	[IS_EMPTY] = { LP_VERB_IS_EMPTY, LP_EFFECT_NONE, LP_SAYS_EMPTY, 0 },
	[SIZE] = { LP_VERB_SIZE, LP_EFFECT_NONE, LP_SAYS_SIZE, 0 },
	[READ] = { LP_VERB_OTHER, LP_EFFECT_NONE, LP_SAYS_ALL, 0 },
};

const struct lp_builtin lp_kind_set = {
	.kind = { .name = "set", .about = "keys, each there or not", .data = LP_DATA_EQUALITY, .by_key = true,
		  .methods = methods, .method_count = LP_COUNT(methods) },
	.traits = { .methods = method_traits },
};
