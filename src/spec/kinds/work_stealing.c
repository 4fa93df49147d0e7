/* work_stealing.c -- a work-stealing deque.  Its state lists the values from front to back.
 *
 * Its owner pushes at the back; thieves steal at the front.  The owner pops at the back, or at the front if the deque
 * is first in, first out.  The specification does not check that only one thread pushes and pops; the clients must
 * respect that.
 */
#include "spec/kinds/shared_steps.h"

enum { BOUNDED, BLOCKING, LOSING };

static enum lp_answer push(struct lp_state *s, const struct lp_spec_call *c)
{
	if (c->param[BOUNDED] && s->count >= c->param[BOUNDED])
		return c->param[BLOCKING] ? LP_BLOCKS : lp_answers(c, 0);
	lp_state_push(s, c->arg[0]);
	return lp_answers(c, 1);
}

static enum lp_answer take(struct lp_state *s, const struct lp_spec_call *c, bool back)
{
	if (!s->count)
		return c->param[BLOCKING] ? LP_BLOCKS : lp_answers(c, LP_EMPTY);
	const uint32_t at = back ? s->count - 1 : 0;
	const int64_t value = s->at[at];
	lp_state_remove(s, at);
	return lp_answers(c, value);
}

static enum lp_answer pop(struct lp_state *s, const struct lp_spec_call *c)
{
	return take(s, c, true);
}

static enum lp_answer pop_first(struct lp_state *s, const struct lp_spec_call *c)
{
	return take(s, c, false);
}

/* May the thief lose a race?  Another call takes, or has just taken, the value that the thief wanted. */
static bool loses(const struct lp_spec_call *c)
{
	return c->param[LOSING] && c->overlap && c->result && lp_answers(c, LP_EMPTY) == LP_ACCEPTS &&
	       lp_overlap_count(c->overlap, LP_REMOVES, false) + lp_overlap_count(c->overlap, LP_REMOVES, true);
}

static enum lp_answer steal(struct lp_state *s, const struct lp_spec_call *c)
{
	return s->count && loses(c) ? LP_ACCEPTS : take(s, c, false);
}

enum { PUSH, POP, STEAL, IS_EMPTY };

#define METHODS(pops)                                                                                                 \
	[PUSH] = { "push push_bottom push_back enqueue", 1, LP_SUCCESS, LP_INSERTS, push },                           \
	[POP] = { "pop take pop_bottom pop_back", 0, LP_VALUE_OR_EMPTY, LP_REMOVES | LP_OBSERVES, pops },             \
	[STEAL] = { "steal pop_top pop_front", 0, LP_VALUE_OR_EMPTY, LP_REMOVES | LP_OBSERVES, steal },               \
	[IS_EMPTY] = { "is_empty empty", 0, LP_TRUTH, LP_READS, lp_list_is_empty }

static const struct lp_method methods[] = { METHODS(pop) };
static const struct lp_method first_in_methods[] = { METHODS(pop_first) };

static const struct lp_method_traits method_traits[LP_COUNT(methods)] = {
	[PUSH] = { .verb = LP_VERB_PUSH_BACK },
	[POP] = { .verb = LP_VERB_POP_BACK },
	[STEAL] = { .verb = LP_VERB_POP_FRONT },
	[IS_EMPTY] = { .verb = LP_VERB_IS_EMPTY },
};

static const struct lp_method_traits first_in_traits[LP_COUNT(methods)] = {
	[PUSH] = { .verb = LP_VERB_INSERT },
	[POP] = { .verb = LP_VERB_TAKE },
	[STEAL] = { .verb = LP_VERB_STEAL },
	[IS_EMPTY] = { .verb = LP_VERB_IS_EMPTY },
};

static const struct lp_param params[] = {
	[BOUNDED] = { "bounded", 0, "a full one has that many values; 0: never full" },
	[BLOCKING] = { "blocking", 0, "1: a removal waits for a value, an insertion for room" },
	[LOSING] = { "losing", 0, "1: steal may find nothing while another removal overlaps" },
};

const struct lp_builtin lp_kind_work_stealing = {
	.kind = { .name = "work_stealing", .about = "its owner works at one end, thieves at the other", .data = LP_DATA_EQUALITY,
		  .methods = methods, .method_count = LP_COUNT(methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .methods = method_traits, .overlap_params = 1 << LOSING, .leaves = LP_LEAVES_EITHER_END },
};

const struct lp_builtin lp_kind_fifo_work_stealing = {
	.kind = { .name = "fifo_work_stealing", .about = "its owner takes the oldest value, and so do thieves",
		  .data = LP_DATA_EQUALITY, .methods = first_in_methods, .method_count = LP_COUNT(first_in_methods),
		  .params = params, .param_count = LP_COUNT(params) },
	.traits = { .methods = first_in_traits, .overlap_params = 1 << LOSING },
};
