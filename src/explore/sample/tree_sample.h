/* tree_sample.h -- estimates sums over the nodes of a tree that is too large to be visited.
 *
 * Each node has LP_TREE_VALUES values.  The tree is visited one generation after the other, the root being the first.  Of the
 * children of a generation only `width` are kept.  The weight of a child that is kept says for how many children it stands.  So
 * the weighted sum of a value over the visited nodes is an unbiased estimate of the sum of the value over all nodes.  Knuth's
 * descents ("Estimating the Efficiency of Backtrack Programs", Mathematics of Computation 1975) are the case of width 1.  Chen
 * ("Heuristic Sampling", SIAM Journal on Computing 1992) and Vaisman and Kroese ("Stochastic Enumeration Method for Counting
 * Trees", 2017) keep several children, as we do.
 *
 * Priority sampling (Duffield, Lund and Thorup, JACM 2007) decides which children are kept.  Let w be the weight of a child
 * before this decision, which is that of its parent.  Each node has LP_TREE_VALUES values, of which only the last one matters here: let g
 * be the expected sum of this value over the child and all nodes below it.  Let u be a random number, uniform in (0, 1].  The child has the
 * priority w g / u.  The `width` children with the highest
 * priorities are kept, and the weight of each becomes max(w, t / g), where t is the highest priority of a child that is not kept.  The estimate is
 * unbiased for every g, and has no variance if g is correct.  So g is learned: each node has a class, and from round to round we count how many
 * children of each class the nodes of a class have on average.
 */
#ifndef LP_EXPLORE_SAMPLE_TREE_SAMPLE_H
#define LP_EXPLORE_SAMPLE_TREE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "explore/parallel/item.h"
#include "explore/sample/rng.h"

enum { LP_TREE_CLASSES = 64, LP_TREE_VALUES = 2 };

struct lp_tree_node {
	struct lp_bytes bytes;
	double weight, priority;
	uint32_t class;
};

struct lp_tree_sample {
	/* Visits a node: adds the values of the node to value[], which is all zero before the call, and offers the children of the
	 * node (lp_tree_offer()).  Returns false to end the round. */
	bool (*visit)(struct lp_tree_sample *, const struct lp_bytes *, double *value);
	void *closure;
	struct lp_rng rng;
	uint32_t width;
	uint64_t visited;                /* the number of nodes visited, in all rounds */
	/* The other members are private. */
	struct lp_tree_nodes {
		LP_VEC(struct lp_tree_node);
	} now, next;                     /* `next` is a heap, the lowest priority first */
	const struct lp_tree_node *parent;
	uint32_t generations;            /* the most generations of a round */
	double expected[LP_TREE_CLASSES]; /* by class: the expected sum of the last value, value[LP_TREE_VALUES - 1], over a node and all
	                                   * nodes below it */
	double visits[LP_TREE_CLASSES], own[LP_TREE_CLASSES], children[LP_TREE_CLASSES][LP_TREE_CLASSES];
	struct lp_bytes root;
};

void lp_tree_sample_open(struct lp_tree_sample *, const struct lp_bytes *root);
void lp_tree_sample_close(struct lp_tree_sample *);

/* visit() calls this for each child of the node.  If the result is not NULL, visit() stores the child's bytes there; NULL: the
 * child is not kept. */
struct lp_bytes *lp_tree_offer(struct lp_tree_sample *, uint32_t class);

/* Makes one round, which estimates the sum of each value over all nodes.  Returns false if visit()
 * has ended the round. */
bool lp_tree_round(struct lp_tree_sample *, double *sum);

#endif
