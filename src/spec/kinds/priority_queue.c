/* priority_queue.c -- a priority queue.  Its state lists the values in ascending order. */
#include "spec/kinds/shared_steps.h"

enum { MAX, ROOM };

/* The call with the parameters of sequences, which do not have `max`. */
static struct lp_spec_call as_sequence(const struct lp_spec_call *c)
{
	struct lp_spec_call sequence = *c;

	sequence.param = c->param + ROOM;
	return sequence;
}

static enum lp_answer insert(struct lp_state *s, const struct lp_spec_call *c)
{
	const struct lp_spec_call sequence = as_sequence(c);

	return lp_list_push(s, &sequence, lp_state_place(s, c->arg[0]));
}

static enum lp_answer remove_foremost(struct lp_state *s, const struct lp_spec_call *c)
{
	const struct lp_spec_call sequence = as_sequence(c);

	return lp_list_pop(s, &sequence, c->param[MAX]);
}

static enum lp_answer peek(struct lp_state *s, const struct lp_spec_call *c)
{
	const struct lp_spec_call sequence = as_sequence(c);

	return lp_list_peek(s, &sequence, c->param[MAX]);
}

static enum lp_answer is_empty(struct lp_state *s, const struct lp_spec_call *c)
{
	const struct lp_spec_call sequence = as_sequence(c);

	return lp_list_may_be_empty(s, &sequence, c->param[MAX]);
}

enum { INSERT, REMOVE, PEEK, IS_EMPTY };

static const struct lp_method methods[] = {
	[INSERT] = { "insert add push enqueue enq put", 1, LP_SUCCESS, LP_INSERTS, insert },
	[REMOVE] = { "remove remove_min remove_max delete_min pop_min poll pop dequeue deq take", 0, LP_VALUE_OR_EMPTY,
		     LP_REMOVES | LP_OBSERVES, remove_foremost },
	[PEEK] = { "peek min max top front find_min", 0, LP_VALUE_OR_EMPTY, LP_READS, peek },
	[IS_EMPTY] = { "is_empty empty", 0, LP_TRUTH, LP_READS, is_empty },
};

static const struct lp_method_traits method_traits[LP_COUNT(methods)] = {
	[INSERT] = { .verb = LP_VERB_INSERT },
	[REMOVE] = { .verb = LP_VERB_TAKE },
	[PEEK] = { .verb = LP_VERB_PEEK },
	[IS_EMPTY] = { .verb = LP_VERB_IS_EMPTY },
};

static const struct lp_param params[] = {
	[MAX] = { "max", 0, "1: the greatest value goes first" },
	LP_ROOM_PARAMS,
};

const struct lp_builtin lp_kind_priority_queue = {
	.kind = { .name = "priority_queue", .about = "the least value goes first", .data = LP_DATA_ORDER,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.aliases = "pqueue pq",
	.traits = { .methods = method_traits, .overlap_params = LP_OVERLAP_PARAMS(ROOM + LP_LENIENT),
		    .leaves = LP_LEAVES_BY_ORDER },
};
