/* act.h -- inside the explorers that go forward only: one operation, one way.
 *
 * A schedule is a sequence of moves: a thread performs its pending operation in one of
 * the ways in which it can go as the graph stands.  Ways are numbers: a read's is
 * 2 * position + whether it fails spuriously, a write's its position, that of a choice
 * the number chosen, and 0 for anything else.
 */
#ifndef LP_EXPLORE_SAMPLE_ACT_H
#define LP_EXPLORE_SAMPLE_ACT_H

#include "explore/graph/grow.h"

struct lp_move {
	lp_tid thread;
	const struct lp_op *op;
	uint32_t id;   /* of the operation, in x->ops */
	uint32_t live; /* the thread's live state, or 0 */
};

struct lp_ways {
	LP_VEC(uint32_t);
};

/* The move of a thread that is runnable. */
struct lp_move lp_move_of(struct lp_explorer *, lp_tid, const struct lp_op *);

static inline bool lp_is_access(const struct lp_op *op)
{
	return op->kind == LP_OP_LOAD || op->kind == LP_OP_STORE || op->kind == LP_OP_RMW;
}

/* Lists the ways, from the latest in co to the earliest; with `latest`, only those at the
 * end of co: what an interleaving would do.  None if the operation has to wait.  False if
 * that is an error. */
bool lp_ways_of(struct lp_explorer *, const struct lp_move *, bool latest, struct lp_ways *);

/* Adds the move's event or events to the graph.  False if the model rejects that way; the
 * graph is then as before.  An error stops the explorer. */
bool lp_go(struct lp_explorer *, const struct lp_move *, uint32_t way);

/* Adds the read with which an operation that has to wait waits. */
void lp_go_wait(struct lp_explorer *, const struct lp_move *);

/* No thread can go on, but for those marked in `spinning`, which were seen to go round
 * in loops.  Lets each of them do so once more, on the latest values, taking `choices` for
 * the numbers chosen on the way (in mixed radix), and lets the waiting ones wait.  False if
 * one of the former went on instead; or else `*how` is how the execution ended. */
bool lp_settle(struct lp_explorer *, const bool *spinning, const uint32_t *choices,
	       enum lp_conclusion *how);

#endif
