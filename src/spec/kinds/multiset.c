/* multiset.c -- a multiset: its values in ascending order.  By `take` it is a pool. */
#include "spec/kinds/shared_steps.h"

enum { BLOCKING };

static enum lp_answer insert(struct lp_state *s, const struct lp_spec_call *c)
{
	lp_state_insert(s, lp_state_place(s, c->arg[0]), c->arg[0]);
	return LP_ACCEPTS;
}

static enum lp_answer count(struct lp_state *s, const struct lp_spec_call *c)
{
	uint32_t at = lp_state_place(s, c->arg[0]), found = 0;

	while (at < s->count && s->at[at++] == c->arg[0])
		found++;
	return lp_answers(c, found);
}

/* Takes any value; when the result is unknown, each value is a choice. */
static enum lp_answer take(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!s->count && c->param[BLOCKING])
		return LP_BLOCKS;
	if (!s->count)
		return c->choice ? LP_REJECTS : lp_answers(c, LP_EMPTY);
	if (!c->result) {
		if (c->choice >= s->count)
			return LP_REJECTS;
		lp_state_remove(s, c->choice);
		return LP_ACCEPTS;
	}
	if (c->choice || c->results != 1 || !lp_state_has(s, c->result[0]))
		return LP_REJECTS;
	lp_state_remove(s, lp_state_place(s, c->result[0]));
	return LP_ACCEPTS;
}

enum { INSERT, REMOVE, CONTAINS, COUNT, TAKE, IS_EMPTY, SIZE };

static const struct lp_method methods[] = {
	[INSERT] = { "insert add put push", 1, LP_NOTHING, LP_INSERTS, insert },
	[REMOVE] = { "remove delete erase", 1, LP_TRUTH, LP_REMOVES | LP_OBSERVES, lp_sorted_remove },
	[CONTAINS] = { "contains find lookup search member has", 1, LP_TRUTH, LP_READS, lp_sorted_contains },
	[COUNT] = { "count", 1, LP_VALUE, LP_READS, count },
	[TAKE] = { "take pop get remove_any", 0, LP_VALUE_OR_EMPTY, LP_REMOVES | LP_OBSERVES | LP_WHOLE | LP_CHOOSES, take },
	[IS_EMPTY] = { "is_empty empty", 0, LP_TRUTH, LP_READS | LP_WHOLE, lp_list_is_empty },
	[SIZE] = { "size", 0, LP_VALUE, LP_READS | LP_WHOLE, lp_list_size },
};

static const struct lp_method_traits method_traits[LP_COUNT(methods)] = {
	[INSERT] = { .verb = LP_VERB_INSERT },
	[REMOVE] = { .verb = LP_VERB_ERASE },
	[CONTAINS] = { .verb = LP_VERB_CONTAINS },
	[TAKE] = { .verb = LP_VERB_TAKE },
	[IS_EMPTY] = { .verb = LP_VERB_IS_EMPTY },
	[SIZE] = { .verb = LP_VERB_SIZE },
};

static const struct lp_param params[] = {
	[BLOCKING] = { "blocking", 0, "1: take waits for a value" },
};

const struct lp_builtin lp_kind_multiset = {
	.kind = { .name = "multiset", .about = "values, each any number of times; also a pool, by take",
		  .data = LP_DATA_EQUALITY, .by_key = true,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .methods = method_traits, .leaves = LP_LEAVES_ANY, .repeats = true },
};
