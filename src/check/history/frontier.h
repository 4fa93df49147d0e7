/* frontier.h -- the operations that may come next in a linearization.
 *
 * A search places operations one after the other, and takes them back.  An operation is ready when all
 * operations that must come before it are placed.  The order also has nodes that are not operations
 * (moments, precedence.h).  A moment counts as placed as soon as all nodes before it are placed.
 */
#ifndef LP_CHECK_HISTORY_FRONTIER_H
#define LP_CHECK_HISTORY_FRONTIER_H

#include <stdint.h>

#include "base/vec.h"
#include "check/history/precedence.h"

struct lp_frontier {
	const struct lp_precedence *order;
	uint32_t count;     /* the number of operations, which are the first nodes of the order */
	uint32_t *before;   /* for each node, the number of edges into it from nodes that are not
			     * placed */
	uint32_t *priority; /* for each operation its priority: lower numbers come first in `ready` */
	uint32_t *since;    /* for each ready operation: the number of operations placed when it became ready */
	uint32_t placed;
	struct {
		LP_VEC(uint32_t);
	} ready,            /* the operations that are ready, sorted by priority */
	  fired;            /* the nodes that are placed, operations and moments, in the order in which they were placed */
};

/* The priorities are: first the operations that returned, in the order of their ends; then the pending ones, in
 * the order of their starts.  So a search that takes the first ready operation places each operation late. */
void lp_frontier_open(struct lp_frontier *f, const struct lp_problem *p,
		      const struct lp_precedence *order);
void lp_frontier_close(struct lp_frontier *f);

/* Places an operation that is ready.  Returns a mark for lp_frontier_take_back(), which takes the
 * operation back.  The operation that was placed last must be taken back first. */
uint32_t lp_frontier_place(struct lp_frontier *f, uint32_t op);
void lp_frontier_take_back(struct lp_frontier *f, uint32_t op, uint32_t mark);

/* Returns the index in `ready` of the first operation whose priority is at least this number. */
uint32_t lp_frontier_at(const struct lp_frontier *f, uint32_t priority);

#endif
