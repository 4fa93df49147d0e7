/* formula_tree.h -- formulae as trees; for formula*.c only.
 *
 * Nodes are numbered, and may be shared: each binder has its own slot, so the meaning of a node does
 * not depend on where it occurs.  Statements refer to the roots.
 */
#ifndef LP_CHECK_COUNTING_LANGUAGES_FORMULA_TREE_H
#define LP_CHECK_COUNTING_LANGUAGES_FORMULA_TREE_H

#include "base/vec.h"
#include "check/counting/counts.h"

enum lp_node_kind {
	/* terms */
	LP_NODE_INT,    /* number */
	LP_NODE_K,
	LP_NODE_PLACE,  /* the integer in place a */
	LP_NODE_COUNT,  /* #(a, b, c) */
	LP_NODE_ADD,    /* a + b, and so on */
	LP_NODE_SUB,
	LP_NODE_MUL,
	LP_NODE_SUM,    /* place a over b..c of d */
	/* labels */
	LP_NODE_LABEL,  /* the label in slot a */
	LP_NODE_CONST,  /* constant number a */
	/* formulae */
	LP_NODE_TRUE,
	LP_NODE_FALSE,
	LP_NODE_LE,     /* a <= b */
	LP_NODE_LT,
	LP_NODE_EQ,
	LP_NODE_METHOD, /* label a has method number */
	LP_NODE_PRED,   /* predicate number, of labels a and b */
	LP_NODE_NOT,    /* a */
	LP_NODE_AND,
	LP_NODE_OR,
	LP_NODE_SOME,   /* place a over b..c: d */
	LP_NODE_ALL,
	LP_NODE_EXISTS, /* plan number */
};

enum lp_predicate { LP_PRED_SAME, LP_PRED_EQUAL, LP_PRED_EMPTY, LP_PRED_PENDING, LP_PRED_VALUE,
		    LP_PRED_INSERTS, LP_PRED_REMOVES };

struct lp_node {
	enum lp_node_kind kind;
	uint32_t a, b, c, d;
	int64_t number;
	uint64_t uses; /* the set of slots of labels that the node reads and does not bind */
	uint32_t rank; /* how deeply quantifiers over labels are nested in the node */
};

enum { LP_MOST_SLOTS = 64, LP_MOST_JOINED = 8 };

/* How to evaluate exists x, y, ...: p and q and ... The variables are bound in the order of `slot`,
 * and each conjunct is evaluated as soon as all its variables are bound.  A variable that must have
 * the same value as an earlier one ranges only over the labels with that value. */
struct lp_formula_plan {
	uint32_t vars;
	uint32_t slot[LP_MOST_JOINED];
	uint32_t join[LP_MOST_JOINED]; /* a slot, or UINT32_MAX */
	uint32_t first[LP_MOST_JOINED + 1]; /* the conjuncts to evaluate after binding variable i
					     * begin at first[i] */
	struct {
		LP_VEC(uint32_t);
	} conjuncts;
};

struct lp_statement {
	char name[48];
	bool is_violation; /* else a requirement */
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

/* Makes the node "exists over these slots: body" (formula_plan.c). */
uint32_t lp_formulae_exists(struct lp_formulae *f, const uint32_t *slots, uint32_t count,
			    uint32_t body);
uint32_t lp_formulae_node(struct lp_formulae *f, struct lp_node node);
uint32_t lp_formulae_not(struct lp_formulae *f, uint32_t a);

#endif
