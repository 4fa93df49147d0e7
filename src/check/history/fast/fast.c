/* fast.c -- which near-linear checker is for which problem. */
#include "check/history/fast/fast.h"

#include <string.h>

static bool uses(const struct lp_problem *p, const char *method)
{
	const uint32_t m = lp_method_named(p->spec.kind, method, strlen(method));
	return m != LP_NO_METHOD && (p->methods >> m & 1);
}

const struct lp_fast *lp_fast_for(const struct lp_problem *p)
{
	static const struct {
		const char *kind;
		const char *with; /* only if this method occurs; NULL: always */
		struct lp_fast fast;
	} table[] = {
		{ "queue", NULL, { "queue in linear time", lp_fast_queue } },
		{ "deque", NULL, { "deque by its ends", lp_fast_deque } },
		{ "stack", NULL, { "stack in n log n", lp_fast_stack } },
		{ "priority_queue", NULL, { "priority queue in linear time", lp_fast_priority } },
		{ "register", NULL, { "register in linear time", lp_fast_register } },
		{ "map", NULL, { "register in linear time", lp_fast_register } },
		{ "set", NULL, { "set in n log n", lp_fast_set } },
		{ "multiset", "take", { "pool in linear time", lp_fast_pool } },
		{ "multiset", NULL, { "set in n log n", lp_fast_set } },
	};

	/* By name first, which is quick: there may be a problem for each of many keys. */
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (!strcmp(table[i].kind, p->spec.kind->name) &&
		    lp_kind_named(table[i].kind) == p->spec.kind &&
		    (!table[i].with || uses(p, table[i].with)))
			return &table[i].fast;
	return NULL;
}
