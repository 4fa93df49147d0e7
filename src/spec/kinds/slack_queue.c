/* slack_queue.c -- a bounded queue that need not use all of its room.
 *
 * Queues that consist of segments or slots cannot always fill all of them: a slot that was emptied may only be filled again when
 * others are empty, too.  So an insertion may be refused although fewer than `bounded` values are there, but only if the
 * room that is left is at most `slack`.  If the result of an insertion is unknown, it may have inserted its value or have
 * been refused.
 */
#include "spec/kinds/shared_steps.h"

enum { BOUNDED, SLACK };

static enum lp_answer enqueue(struct lp_state *s, const struct lp_spec_call *c)
{
	const int64_t room = c->param[BOUNDED] - s->count;
	const bool fits = room > 0 && lp_answers(c, 1) == LP_ACCEPTS;
	const bool refused = room <= c->param[SLACK] && lp_answers(c, 0) == LP_ACCEPTS;

	if (c->choice >= (uint32_t)fits + refused)
		return LP_REJECTS;
	if (fits && !c->choice)
		lp_state_insert(s, s->count, c->arg[0]);
	return LP_ACCEPTS;
}

static enum lp_answer dequeue(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!s->count)
		return lp_answers(c, LP_EMPTY);
	const int64_t value = s->at[0];
	lp_state_remove(s, 0);
	return lp_answers(c, value);
}

enum { ENQUEUE, DEQUEUE, IS_EMPTY };

static const struct lp_method methods[] = {
	[ENQUEUE] = { "enqueue enq push insert add put offer", 1, LP_SUCCESS, LP_INSERTS | LP_CHOOSES, enqueue },
	[DEQUEUE] = { "dequeue deq pop remove take get poll", 0, LP_VALUE_OR_EMPTY, LP_REMOVES | LP_OBSERVES, dequeue },
	[IS_EMPTY] = { "is_empty empty", 0, LP_TRUTH, LP_READS, lp_list_is_empty },
};

static const struct lp_method_traits method_traits[LP_COUNT(methods)] = {
	[ENQUEUE] = { .verb = LP_VERB_INSERT },
	[DEQUEUE] = { .verb = LP_VERB_TAKE },
	[IS_EMPTY] = { .verb = LP_VERB_IS_EMPTY },
};

static const struct lp_param params[] = {
	[BOUNDED] = { "bounded", 4, "there are never more than that many values" },
	[SLACK] = { "slack", 1, "an insertion may be refused if there is room for no more than that many" },
};

/* None of the quick methods applies, because whether an insertion may fail depends on how many values there are. */
const struct lp_builtin lp_kind_slack_queue = {
	.kind = { .name = "slack_queue", .about = "first in, first out, and perhaps full too early", .data = LP_DATA_EQUALITY,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .methods = method_traits },
};
