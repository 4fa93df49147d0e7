/* ltl.c -- stores each formula once (ltl.h). */
#include "ltl/ltl.h"

#include "base/alloc.h"

void lp_ltl_close(struct lp_ltl *l)
{
	lp_free(l->nodes.at);
	lp_free(l->atoms.at);
	*l = (struct lp_ltl){ 0 };
}

/* There are few. */
static lp_ltl_id number_of(struct lp_ltl *l, enum lp_ltl_op op, lp_ltl_id a, lp_ltl_id b)
{
	for (lp_ltl_id i = 0; i < l->nodes.count; i++)
		if (l->nodes.at[i].op == op && l->nodes.at[i].a == a && l->nodes.at[i].b == b)
			return i;
	const bool next = op > LP_LTL_NOT && (l->nodes.at[a].next || l->nodes.at[b].next);
	LP_PUSH(&l->nodes, ((struct lp_ltl_node){ op, a, b, 0, next || op == LP_LTL_NEXT }));
	return l->nodes.count - 1;
}

static bool is(const struct lp_ltl *l, lp_ltl_id f, enum lp_ltl_op op)
{
	return l->nodes.at[f].op == op;
}

/* What is true or false anyway is not kept. */
lp_ltl_id lp_ltl_make(struct lp_ltl *l, enum lp_ltl_op op, lp_ltl_id a, lp_ltl_id b)
{
	const enum lp_ltl_op unit = op == LP_LTL_AND ? LP_LTL_TRUE : LP_LTL_FALSE;
	const enum lp_ltl_op zero = op == LP_LTL_AND ? LP_LTL_FALSE : LP_LTL_TRUE;

	switch (op) {
	case LP_LTL_AND:
	case LP_LTL_OR:
		if (a == b || is(l, a, zero) || is(l, b, unit))
			return a;
		if (is(l, b, zero) || is(l, a, unit))
			return b;
		return a < b ? number_of(l, op, a, b) : number_of(l, op, b, a);
	case LP_LTL_NEXT:
	case LP_LTL_UNTIL:
	case LP_LTL_RELEASE:
		if (op == LP_LTL_NEXT && (is(l, a, LP_LTL_TRUE) || is(l, a, LP_LTL_FALSE)))
			return a;
		if (op != LP_LTL_NEXT && (is(l, b, LP_LTL_TRUE) || is(l, b, LP_LTL_FALSE)))
			return b;
		return number_of(l, op, a, op == LP_LTL_NEXT ? 0 : b);
	case LP_LTL_FALSE:
	case LP_LTL_TRUE:
		return number_of(l, op, 0, 0);
	case LP_LTL_ATOM:
	case LP_LTL_NOT:
		return number_of(l, op, a, 0);
	}
	return 0;
}

lp_ltl_id lp_ltl_not(struct lp_ltl *l, lp_ltl_id f)
{
	static const enum lp_ltl_op dual[] = {
		[LP_LTL_FALSE] = LP_LTL_TRUE, [LP_LTL_TRUE] = LP_LTL_FALSE, [LP_LTL_ATOM] = LP_LTL_NOT,
		[LP_LTL_NOT] = LP_LTL_ATOM, [LP_LTL_AND] = LP_LTL_OR, [LP_LTL_OR] = LP_LTL_AND,
		[LP_LTL_NEXT] = LP_LTL_NEXT, [LP_LTL_UNTIL] = LP_LTL_RELEASE, [LP_LTL_RELEASE] = LP_LTL_UNTIL,
	};
	const struct lp_ltl_node n = l->nodes.at[f]; /* those move */

	if (n.contrary)
		return n.contrary - 1;
	const lp_ltl_id a = n.op <= LP_LTL_NOT ? n.a : lp_ltl_not(l, n.a);
	const lp_ltl_id b = n.op <= LP_LTL_NEXT && n.op != LP_LTL_AND && n.op != LP_LTL_OR ? 0 : lp_ltl_not(l, n.b);
	const lp_ltl_id contrary = lp_ltl_make(l, dual[n.op], a, b);
	l->nodes.at[f].contrary = contrary + 1;
	return contrary;
}

bool lp_ltl_has_next(const struct lp_ltl *l, lp_ltl_id f)
{
	return l->nodes.at[f].next;
}
