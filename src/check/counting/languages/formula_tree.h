/* formula_tree.h -- formulae as trees; for formula*.c only.
 *
 * Nodes are numbered, and several nodes may have the same child.  This is possible because each quantifier
 * stores its variable in a slot of its own, so the meaning of a node does not depend on its parents.  Each
 * statement has the number of its root.
 */
#ifndef LP_CHECK_COUNTING_LANGUAGES_FORMULA_TREE_H
#define LP_CHECK_COUNTING_LANGUAGES_FORMULA_TREE_H

#include "base/vec.h"
#include "check/counting/counts.h"

/* In the comments, a, b, c, d and `number` are the members of struct lp_node.  An integer variable is bound by `sum`, `some`
 * or `all`, and a label by `exists`. */
enum lp_node_kind {
	/* terms */
	LP_NODE_INT,    /* number */
	LP_NODE_K,
	LP_NODE_PLACE,  /* the value of integer variable a */
	LP_NODE_COUNT,  /* #(a, b, c) */
	LP_NODE_ADD,    /* a + b, and so on */
	LP_NODE_SUB,
	LP_NODE_MUL,
	LP_NODE_SUM,    /* the sum of d, where integer variable a runs over b..c */
	/* labels */
	LP_NODE_LABEL,  /* the label in slot a */
	LP_NODE_CONST,  /* the constant label with index a */
	/* formulae */
	LP_NODE_TRUE,
	LP_NODE_FALSE,
	LP_NODE_LE,     /* a <= b */
	LP_NODE_LT,
	LP_NODE_EQ,
	LP_NODE_METHOD, /* label a has the method with index `number` */
	LP_NODE_PRED,   /* the predicate `number` holds for the labels a and b */
	LP_NODE_NOT,    /* not a */
	LP_NODE_AND,
	LP_NODE_OR,
	LP_NODE_SOME,   /* d holds for some value of integer variable a in b..c */
	LP_NODE_ALL,    /* d holds for all values of integer variable a in b..c */
	LP_NODE_EXISTS, /* the plan with index `number` finds labels */
};

enum lp_predicate { LP_PRED_SAME, LP_PRED_EQUAL, LP_PRED_EMPTY, LP_PRED_PENDING, LP_PRED_VALUE,
		    LP_PRED_INSERTS, LP_PRED_REMOVES };

struct lp_node {
	enum lp_node_kind kind;
	uint32_t a, b, c, d;
	int64_t number;
	uint64_t uses; /* the set of slots of labels that occur in the node and are bound outside of it */
	uint32_t rank; /* the largest number of nested label variables that are bound in the node */
};

enum { LP_MOST_SLOTS = 64, LP_MOST_JOINED = 8 };

/* How to evaluate exists x, y, ...: p and q and ...
 *
 * The variables are bound in the order of `slot`, and each conjunct (p, q, ...) is evaluated as soon as
 * all its variables are bound.  If a variable must have the same value as an earlier one, only the labels
 * with that value are tried for it. */
struct lp_formula_plan {
	uint32_t vars;
	uint32_t slot[LP_MOST_JOINED];
	uint32_t join[LP_MOST_JOINED]; /* for each variable, the slot whose label must have the same value, or UINT32_MAX */
	uint32_t first[LP_MOST_JOINED + 1]; /* after binding variable i, the conjuncts from index first[i] up to
					     * first[i + 1] - 1 are evaluated */
	struct {
		LP_VEC(uint32_t);
	} conjuncts; /* the numbers of their nodes */
};

struct lp_statement {
	char name[48];
	bool is_violation; /* false: it is a requirement */
	uint32_t root;
};

struct lp_formulae {
	const struct lp_kind *kind;
	uint32_t slots, places; /* the numbers of label variables and of integer variables */
	struct {
		LP_VEC(struct lp_node);
	} nodes;
	struct {
		LP_VEC(struct lp_formula_plan);
	} plans;
	struct {
		LP_VEC(struct lp_label);
	} constants;
	struct {
		LP_VEC(struct lp_statement);
	} statements;
};

/* Each of these functions returns the number of a node.  lp_formulae_exists() makes the node which says that `body` holds
 * for some labels in these slots (formula_plan.c); lp_formulae_not() makes the negation of a node. */
uint32_t lp_formulae_exists(struct lp_formulae *f, const uint32_t *slots, uint32_t count,
			    uint32_t body);
uint32_t lp_formulae_node(struct lp_formulae *f, struct lp_node node);
uint32_t lp_formulae_not(struct lp_formulae *f, uint32_t a);

#endif
