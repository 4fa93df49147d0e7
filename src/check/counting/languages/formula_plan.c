/* formula_plan.c -- decides in which order variables are bound, and when each conjunct is evaluated.
 *
 * Evaluating exists x, y, z: F for all triples takes cubic time in the number of labels.  But F is
 * usually a conjunction, in which many conjuncts depend on x alone.  And if two labels must have the same
 * value, they are found by that value.  So the formula `fv` of docs/counting.md, with four variables, takes
 * time quadratic in the number of values.
 */
#include <string.h>

#include "check/counting/languages/formula_tree.h"

static uint64_t bit(uint32_t slot)
{
	return UINT64_C(1) << slot;
}

/* Lists which of the fields a, b, c, d are nodes. */
static uint32_t children(const struct lp_node *n, uint32_t child[3])
{
	switch (n->kind) {
	case LP_NODE_INT:
	case LP_NODE_K:
	case LP_NODE_PLACE:
	case LP_NODE_LABEL:
	case LP_NODE_CONST:
	case LP_NODE_TRUE:
	case LP_NODE_FALSE:
	case LP_NODE_EXISTS: /* the function that makes the node adds its children */
		return 0;
	case LP_NODE_NOT:
	case LP_NODE_METHOD:
		child[0] = n->a;
		return 1;
	case LP_NODE_COUNT:
		memcpy(child, (const uint32_t[]){ n->a, n->b, n->c }, sizeof *child * 3);
		return 3;
	case LP_NODE_SUM:
	case LP_NODE_SOME:
	case LP_NODE_ALL:
		memcpy(child, (const uint32_t[]){ n->b, n->c, n->d }, sizeof *child * 3);
		return 3;
	default:
		child[0] = n->a;
		child[1] = n->b;
		return 2;
	}
}

uint32_t lp_formulae_node(struct lp_formulae *f, struct lp_node node)
{
	uint32_t child[3];

	for (uint32_t i = children(&node, child); i; i--) {
		const struct lp_node *c = &f->nodes.at[child[i - 1]];
		node.uses |= c->uses;
		if (c->rank > node.rank)
			node.rank = c->rank;
	}
	if (node.kind == LP_NODE_LABEL)
		node.uses = bit(node.a);
	LP_PUSH(&f->nodes, node);
	return f->nodes.count - 1;
}

uint32_t lp_formulae_not(struct lp_formulae *f, uint32_t a)
{
	const struct lp_node n = f->nodes.at[a];

	/* Moves negations inwards, so that forall x: p -> q becomes an exists with two conjuncts. */
	if (n.kind == LP_NODE_NOT)
		return n.a;
	if (n.kind == LP_NODE_OR) {
		const uint32_t left = lp_formulae_not(f, n.a), right = lp_formulae_not(f, n.b);
		return lp_formulae_node(f, (struct lp_node){ .kind = LP_NODE_AND, .a = left,
							     .b = right });
	}
	return lp_formulae_node(f, (struct lp_node){ .kind = LP_NODE_NOT, .a = a });
}

static void split(const struct lp_formulae *f, uint32_t root, struct lp_formula_plan *p)
{
	const struct lp_node *n = &f->nodes.at[root];

	if (n->kind == LP_NODE_AND) {
		split(f, n->a, p);
		split(f, n->b, p);
	} else {
		LP_PUSH(&p->conjuncts, root);
	}
}

/* Finds a slot in `bound` that must have the same value as `slot`. */
static uint32_t joined(const struct lp_formulae *f, const struct lp_formula_plan *p, uint32_t slot,
		       uint64_t bound)
{
	for (uint32_t i = 0; i < p->conjuncts.count; i++) {
		const struct lp_node *n = &f->nodes.at[p->conjuncts.at[i]];
		if (n->kind != LP_NODE_PRED || n->number != LP_PRED_SAME)
			continue;
		const struct lp_node *x = &f->nodes.at[n->a], *y = &f->nodes.at[n->b];
		if (x->kind != LP_NODE_LABEL || y->kind != LP_NODE_LABEL)
			continue;
		if (x->a == slot && (bound & bit(y->a)))
			return y->a;
		if (y->a == slot && (bound & bit(x->a)))
			return x->a;
	}
	return UINT32_MAX;
}

uint32_t lp_formulae_exists(struct lp_formulae *f, const uint32_t *slots, uint32_t count,
			    uint32_t body)
{
	struct lp_formula_plan p = { 0 };
	struct lp_formula_plan sorted = { .vars = count };
	uint64_t left = 0, bound;

	for (uint32_t i = 0; i < count; i++)
		left |= bit(slots[i]);
	bound = f->nodes.at[body].uses & ~left; /* variables that are bound outside */
	const uint64_t outside = bound;
	split(f, body, &p);
	bool *seen = lp_alloc_zero(p.conjuncts.count + 1, sizeof *seen);
	for (uint32_t i = 0; i < count; i++) {
		/* Takes a variable that is joined to a bound one, or else the first remaining one. */
		uint32_t next = UINT32_MAX, join = UINT32_MAX;
		for (uint32_t j = 0; j < count && join == UINT32_MAX; j++) {
			if (!(left & bit(slots[j])))
				continue;
			join = joined(f, &p, slots[j], bound);
			if (next == UINT32_MAX || join != UINT32_MAX)
				next = slots[j];
		}
		left &= ~bit(next);
		bound |= bit(next);
		sorted.slot[i] = next;
		sorted.join[i] = join;
		sorted.first[i] = sorted.conjuncts.count;
		for (uint32_t c = 0; c < p.conjuncts.count; c++) {
			const uint32_t root = p.conjuncts.at[c];
			if (seen[c] || (f->nodes.at[root].uses & ~bound))
				continue;
			LP_PUSH(&sorted.conjuncts, root);
			seen[c] = true;
		}
	}
	sorted.first[count] = sorted.conjuncts.count;
	lp_free(p.conjuncts.at);
	lp_free(seen);
	LP_PUSH(&f->plans, sorted);
	return lp_formulae_node(f, (struct lp_node){ .kind = LP_NODE_EXISTS,
						     .number = f->plans.count - 1,
						     .uses = outside,
						     .rank = f->nodes.at[body].rank + count });
}
