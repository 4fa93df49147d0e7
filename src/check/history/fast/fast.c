/* fast.c -- chooses the near-linear checker for a problem. */
#include "check/history/fast/fast.h"

#include "spec/traits.h"

static bool uses(const struct lp_problem *p, enum lp_verb verb)
{
	const uint32_t m = lp_kind_method(p->spec.kind, verb);
	return m != LP_NO_METHOD && (p->methods >> m & 1);
}

/* The checkers of containers, by discipline.  A multiset whose method `take` does not occur is checked
 * key by key, like a set. */
static const struct lp_fast containers[] = {
	[LP_LEAVES_FIRST_IN] = { "queue in linear time", lp_fast_queue },
	[LP_LEAVES_LAST_IN] = { "stack in n log n", lp_fast_stack },
	[LP_LEAVES_EITHER_END] = { "deque by its ends", lp_fast_deque },
	[LP_LEAVES_BY_ORDER] = { "priority queue in linear time", lp_fast_priority },
	[LP_LEAVES_ANY] = { "pool in linear time", lp_fast_pool },
};

static const struct lp_fast by_cell = { "register in linear time", lp_fast_register };
static const struct lp_fast by_key = { "set in n log n", lp_fast_set };

const struct lp_fast *lp_fast_for(const struct lp_problem *p)
{
	const struct lp_kind *kind = p->spec.kind;
	const enum lp_discipline leaves = lp_kind_traits(kind)->leaves;

	if (lp_kind_method(kind, LP_VERB_WRITE) != LP_NO_METHOD)
		return &by_cell;
	if (lp_kind_method(kind, LP_VERB_STEAL) != LP_NO_METHOD)
		return &containers[LP_LEAVES_FIRST_IN];
	if (lp_kind_traits(kind)->scored)
		return &containers[LP_LEAVES_BY_ORDER];
	if (leaves != LP_LEAVES_NONE && (!kind->by_key || uses(p, LP_VERB_TAKE)))
		return &containers[leaves];
	return kind->by_key && lp_kind_is_builtin(kind) ? &by_key : NULL;
}
