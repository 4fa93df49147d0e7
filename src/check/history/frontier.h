/* frontier.h -- the operations that may come next in a linearization.
 *
 * A frontier moves forwards and backwards through an order.  An operation is ready when all operations
 * before it are placed.  Moments (precedence.h) are passed as soon as possible.
 */
#ifndef LP_CHECK_HISTORY_FRONTIER_H
#define LP_CHECK_HISTORY_FRONTIER_H

#include <stdint.h>

#include "base/vec.h"
#include "check/history/precedence.h"

struct lp_frontier {
	const struct lp_precedence *order;
	uint32_t count;     /* operations: the first nodes */
	uint32_t *before;   /* edges into a node from nodes that are not done */
	uint32_t *priority; /* for each operation: lower ones come first in `ready` */
	uint32_t *since;    /* for each ready operation: the number of operations placed when it became ready */
	uint32_t placed;
	struct {
		LP_VEC(uint32_t);
	} ready, fired;     /* ready: sorted by priority */
};

/* Priorities: completed operations by their ends, then pending ones by their starts, so that an
 * operation is placed as late as possible. */
void lp_frontier_open(struct lp_frontier *f, const struct lp_problem *p,
		      const struct lp_precedence *order);
void lp_frontier_close(struct lp_frontier *f);

/* Places an operation that is ready.  Returns a mark for lp_frontier_take_back(), which takes
 * operations back, the last one first. */
uint32_t lp_frontier_place(struct lp_frontier *f, uint32_t op);
void lp_frontier_take_back(struct lp_frontier *f, uint32_t op, uint32_t mark);

/* The index in `ready` of the first operation with that priority or above. */
uint32_t lp_frontier_at(const struct lp_frontier *f, uint32_t priority);

#endif
