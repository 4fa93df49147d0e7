/* frontier.h -- the operations that may come next in a linearization.
 *
 * An order, walked forwards and backwards: an operation is ready when everything
 * before it is placed.  Moments (precedence.h) are passed as soon as they can be.
 */
#ifndef LP_CHECK_HISTORY_FRONTIER_H
#define LP_CHECK_HISTORY_FRONTIER_H

#include <stdint.h>

#include "base/vec.h"
#include "check/history/precedence.h"

struct lp_frontier {
	const struct lp_precedence *order;
	uint32_t count;     /* operations: the first nodes */
	uint32_t *before;   /* edges into a node from nodes not done */
	uint32_t *priority; /* of operations: lower comes first in `ready` */
	uint32_t *since;    /* of ready operations: how many were placed before it was */
	uint32_t placed;
	struct {
		LP_VEC(uint32_t);
	} ready, fired;     /* ready: sorted by priority */
};

/* Priorities: completed operations by their ends, then pending ones by their starts,
 * so that an operation is placed when it has to be, and no earlier. */
void lp_frontier_open(struct lp_frontier *f, const struct lp_problem *p,
		      const struct lp_precedence *order);
void lp_frontier_close(struct lp_frontier *f);

/* Places an operation that is ready.  What it returns takes it back, last one first. */
uint32_t lp_frontier_place(struct lp_frontier *f, uint32_t op);
void lp_frontier_take_back(struct lp_frontier *f, uint32_t op, uint32_t mark);

/* Where operations of that priority or above begin in `ready`. */
uint32_t lp_frontier_at(const struct lp_frontier *f, uint32_t priority);

#endif
