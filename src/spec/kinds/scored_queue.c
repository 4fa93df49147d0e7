/* scored_queue.c -- a priority queue of items with scores: any item of least score goes first.
 *
 * Its state is a list of pairs of score and item, in ascending order.  An item may occur several times, with equal or different
 * scores.
 */
#include "spec/kinds/shared_entries.h"
#include "spec/kinds/shared_steps.h"

enum { MAX, BOUNDED, BLOCKING };

static enum lp_answer insert(struct lp_state *s, const struct lp_spec_call *c)
{
	uint32_t at = lp_entry_place(s, 2, c->arg[0]);

	if (c->param[BOUNDED] && s->count / 2 >= c->param[BOUNDED])
		return c->param[BLOCKING] ? LP_BLOCKS : lp_answers(c, 0);
	while (at < s->count && s->at[at] == c->arg[0] && s->at[at + 1] < c->arg[1])
		at += 2;
	lp_pair_add(s, at, c->arg[0], c->arg[1]);
	return lp_answers(c, 1);
}

/* Returns the index of the first entry with the best score; `*end` is the index after the last one. */
static uint32_t foremost(const struct lp_state *s, const struct lp_spec_call *c, uint32_t *end)
{
	uint32_t at = c->param[MAX] ? lp_entry_place(s, 2, s->at[s->count - 2]) : 0;

	for (*end = at; *end < s->count && s->at[*end] == s->at[at];)
		*end += 2;
	return at;
}

/* Returns the index of the entry with the best score that the call returns.  If the result is unknown, `choice` selects the
 * entry.  `s->count`: there is none. */
static uint32_t find(const struct lp_state *s, const struct lp_spec_call *c)
{
	uint32_t end, at = foremost(s, c, &end), choice = c->choice;

	if (c->result && (choice || c->results != 1))
		return s->count;
	for (; at < end; at += 2) {
		if (c->result ? s->at[at + 1] == c->result[0] : choice == 0)
			return at;
		const bool again = at + 2 < end && s->at[at + 1] == s->at[at + 3];
		choice -= !again;
	}
	return s->count;
}

static enum lp_answer remove_foremost(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!s->count)
		return c->param[BLOCKING] ? LP_BLOCKS : c->choice ? LP_REJECTS : lp_answers(c, LP_EMPTY);
	const uint32_t at = find(s, c);
	if (at == s->count)
		return LP_REJECTS;
	lp_pair_remove(s, at);
	return LP_ACCEPTS;
}

static enum lp_answer peek(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!s->count || !c->result)
		return lp_answers(c, LP_EMPTY);
	return find(s, c) < s->count ? LP_ACCEPTS : LP_REJECTS;
}

enum { INSERT, REMOVE, PEEK, IS_EMPTY };

static const struct lp_method methods[] = {
	[INSERT] = { "insert add push enqueue put", 2, LP_SUCCESS, LP_INSERTS, insert },
	[REMOVE] = { "remove remove_min remove_max delete_min pop_min poll pop dequeue take", 0, LP_VALUE_OR_EMPTY,
	  LP_REMOVES | LP_OBSERVES | LP_CHOOSES, remove_foremost },
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
	[MAX] = { "max", 0, "1: items with the greatest score go first" },
	[BOUNDED] = { "bounded", 0, "a full one has that many items; 0: never full" },
	[BLOCKING] = { "blocking", 0, "1: a removal waits for an item, an insertion for room" },
};

const struct lp_builtin lp_kind_scored_queue = {
	.kind = { .name = "scored_queue", .about = "items with scores, insert(score, item); any item of least score goes first",
		  .data = LP_DATA_ORDER, .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .methods = method_traits, .scored = true, .pairs = true },
};
