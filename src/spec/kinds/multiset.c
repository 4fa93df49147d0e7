/* multiset.c -- a multiset.  Its state is a list of pairs of value and count, sorted by value.
 * The method `take` makes it a pool.
 *
 * Inserting a value that is already there only changes its count, so the state does not grow.
 */
#include "spec/kinds/shared_entries.h"
#include "spec/kinds/shared_steps.h"

enum { BLOCKING };

static uint32_t place(const struct lp_state *s, int64_t value)
{
	return lp_entry_place(s, 2, value);
}

static void remove_once(struct lp_state *s, uint32_t at)
{
	if (!--s->at[at + 1])
		lp_pair_remove(s, at);
}

static enum lp_answer insert(struct lp_state *s, const struct lp_spec_call *c)
{
	const uint32_t at = place(s, c->arg[0]);

	if (lp_entry_is(s, at, c->arg[0]))
		s->at[at + 1]++;
	else
		lp_pair_add(s, at, c->arg[0], 1);
	return LP_ACCEPTS;
}

static enum lp_answer remove_value(struct lp_state *s, const struct lp_spec_call *c)
{
	const uint32_t at = place(s, c->arg[0]);

	if (!lp_entry_is(s, at, c->arg[0]))
		return lp_answers(c, 0);
	remove_once(s, at);
	return lp_answers(c, 1);
}

static enum lp_answer contains(struct lp_state *s, const struct lp_spec_call *c)
{
	return lp_answers(c, lp_entry_is(s, place(s, c->arg[0]), c->arg[0]));
}

static enum lp_answer count(struct lp_state *s, const struct lp_spec_call *c)
{
	const uint32_t at = place(s, c->arg[0]);

	return lp_answers(c, lp_entry_is(s, at, c->arg[0]) ? s->at[at + 1] : 0);
}

static enum lp_answer size(struct lp_state *s, const struct lp_spec_call *c)
{
	int64_t sum = 0;

	for (uint32_t at = 0; at < s->count; at += 2)
		sum += s->at[at + 1];
	return lp_answers(c, sum);
}

/* Takes any value; when the result is unknown, each value is a choice. */
static enum lp_answer take(struct lp_state *s, const struct lp_spec_call *c)
{
	if (!s->count && c->param[BLOCKING])
		return LP_BLOCKS;
	if (!s->count)
		return c->choice ? LP_REJECTS : lp_answers(c, LP_EMPTY);
	if (!c->result) {
		if (c->choice >= s->count / 2)
			return LP_REJECTS;
		remove_once(s, 2 * c->choice);
		return LP_ACCEPTS;
	}
	if (c->choice || c->results != 1)
		return LP_REJECTS;
	const uint32_t at = place(s, c->result[0]);
	if (!lp_entry_is(s, at, c->result[0]))
		return LP_REJECTS;
	remove_once(s, at);
	return LP_ACCEPTS;
}

enum { INSERT, REMOVE, CONTAINS, COUNT, TAKE, IS_EMPTY, SIZE };

static const struct lp_method methods[] = {
	[INSERT] = { "insert add put push", 1, LP_NOTHING, LP_INSERTS, insert },
	[REMOVE] = { "remove delete erase", 1, LP_TRUTH, LP_REMOVES | LP_OBSERVES, remove_value },
	[CONTAINS] = { "contains find lookup search member has", 1, LP_TRUTH, LP_READS, contains },
	[COUNT] = { "count", 1, LP_VALUE, LP_READS, count },
	[TAKE] = { "take pop get remove_any", 0, LP_VALUE_OR_EMPTY, LP_REMOVES | LP_OBSERVES | LP_WHOLE | LP_CHOOSES, take },
	[IS_EMPTY] = { "is_empty empty", 0, LP_TRUTH, LP_READS | LP_WHOLE, lp_list_is_empty },
	[SIZE] = { "size", 0, LP_VALUE, LP_READS | LP_WHOLE, size },
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
	.traits = { .methods = method_traits, .leaves = LP_LEAVES_ANY, .counts = true, .repeats = true },
};
