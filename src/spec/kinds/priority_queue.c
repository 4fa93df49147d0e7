/* priority_queue.c -- a priority queue: values in ascending order. */
#include "spec/kinds/shared_steps.h"

enum { MAX, BOUNDED, BLOCKING };

static uint32_t foremost(const struct lp_state *s, const struct lp_spec_call *c)
{
	return c->param[MAX] ? s->count - 1 : 0;
}

static enum lp_answer insert(struct lp_state *s, const struct lp_spec_call *c)
{
	if (c->param[BOUNDED] && s->count >= c->param[BOUNDED])
		return c->param[BLOCKING] ? LP_BLOCKS : lp_answers(c, 0);
	lp_state_insert(s, lp_state_place(s, c->arg[0]), c->arg[0]);
	return lp_answers(c, 1);
}

static enum lp_answer remove_foremost(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!s->count)
		return c->param[BLOCKING] ? LP_BLOCKS : lp_answers(c, LP_EMPTY);
	const int64_t value = s->at[foremost(s, c)];
	lp_state_remove(s, foremost(s, c));
	return lp_answers(c, value);
}

static enum lp_answer peek(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_list_peek(s, c, foremost(s, c));
}

enum { INSERT, REMOVE, PEEK, IS_EMPTY };

static const struct lp_method methods[] = {
	[INSERT] = { "insert add push enqueue enq put", 1, LP_SUCCESS, LP_INSERTS, insert },
	[REMOVE] = { "remove remove_min remove_max delete_min pop_min poll pop dequeue deq take", 0, LP_VALUE_OR_EMPTY,
		     LP_REMOVES | LP_OBSERVES, remove_foremost },
	[PEEK] = { "peek min max top front find_min", 0, LP_VALUE_OR_EMPTY, LP_READS, peek },
	[IS_EMPTY] = { "is_empty empty", 0, LP_TRUTH, LP_READS, lp_list_is_empty },
};

static const struct lp_method_traits method_traits[LP_COUNT(methods)] = {
	[INSERT] = { .verb = LP_VERB_INSERT },
	[REMOVE] = { .verb = LP_VERB_TAKE },
	[PEEK] = { .verb = LP_VERB_PEEK },
	[IS_EMPTY] = { .verb = LP_VERB_IS_EMPTY },
};

static const struct lp_param params[] = {
	[MAX] = { "max", 0, "1: the greatest value goes first" },
	[BOUNDED] = { "bounded", 0, "a full one has that many values; 0: never full" },
	[BLOCKING] = { "blocking", 0, "1: a removal waits for a value, an insertion for room" },
};

const struct lp_builtin lp_kind_priority_queue = {
	.kind = { .name = "priority_queue", .about = "the least value goes first", .data = LP_DATA_ORDER,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.aliases = "pqueue pq",
	.traits = { .methods = method_traits, .leaves = LP_LEAVES_BY_ORDER },
};
