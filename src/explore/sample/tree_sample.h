/* tree_sample.h -- sums over the nodes of a tree that is too large to be visited.
 *
 * The tree is visited one generation after the other, the root being the first.  Of the children of a generation only
 * `width` are kept, with weights by which they stand for the others.  So the sum of a value over all nodes is estimated
 * without bias by that over the nodes visited, times their weights.  Knuth's descents ("Estimating the Efficiency of Backtrack
 * Programs", Mathematics of Computation 1975) are the case of width 1.  Chen ("Heuristic Sampling", SIAM Journal on Computing
 * 1992) and Vaisman and Kroese ("Stochastic Enumeration Method for Counting Trees", 2017) keep several, as we do.
 *
 * Which are kept is decided by priority sampling (Duffield, Lund and Thorup, JACM 2007): a child of weight w from which g nodes
 * are expected has the priority w g / u, u being uniform in (0, 1].  The `width` highest are kept, and the weight becomes
 * max(w, t / g), t being the highest priority that is not kept.  The estimate has no bias whatever g is, and no variance if g
 * is correct.  So g is learned: children are of classes, and from one round to the next it is counted how many of each class
 * those of another one have on average.
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
	/* Visits a node: adds its values to `value`, which are zero, and offers its children.  False ends the round. */
	bool (*visit)(struct lp_tree_sample *, const struct lp_bytes *, double *value);
	void *closure;
	struct lp_rng rng;
	uint32_t width;
	uint64_t visited;                /* nodes, in all rounds */
	/* Inside. */
	struct lp_tree_nodes {
		LP_VEC(struct lp_tree_node);
	} now, next;                     /* `next` is a heap, the lowest priority first */
	const struct lp_tree_node *parent;
	uint32_t generations;            /* most of a round */
	double expected[LP_TREE_CLASSES]; /* of the last value, from a node and all below it */
	double visits[LP_TREE_CLASSES], own[LP_TREE_CLASSES], children[LP_TREE_CLASSES][LP_TREE_CLASSES];
	struct lp_bytes root;
};

void lp_tree_sample_open(struct lp_tree_sample *, const struct lp_bytes *root);
void lp_tree_sample_close(struct lp_tree_sample *);

/* Called by visit(), for each child.  If it returns a place, the caller stores the child's bytes there. */
struct lp_bytes *lp_tree_offer(struct lp_tree_sample *, uint32_t class);

/* One round: an estimate of the sum of each value over all nodes.  False if visit() has ended it. */
bool lp_tree_round(struct lp_tree_sample *, double *sum);

#endif
