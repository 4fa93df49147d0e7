/* act.h -- inside the explorers that only go forward: performs one operation in one way.
 *
 * A schedule is a sequence of moves.  In a move a thread performs its pending operation in one of
 * the ways that the current graph allows.  A way is a number: for a read 2 * position, plus 1
 * if it fails spuriously; for a write its position in co; for a choice the number chosen;
 * for anything else 0.
 */
#ifndef LP_EXPLORE_SAMPLE_ACT_H
#define LP_EXPLORE_SAMPLE_ACT_H

#include "explore/graph/grow.h"

struct lp_move {
	lp_tid thread;
	const struct lp_op *op;
	uint32_t id;   /* the number of the operation in x->ops */
	uint32_t live; /* the thread's live state, or 0 */
};

struct lp_ways {
	LP_VEC(uint32_t);
};

/* The next move of a thread that is runnable. */
struct lp_move lp_move_of(struct lp_explorer *, lp_tid, const struct lp_op *);

/* Lists the ways, from the latest in co to the earliest; with `latest`, only those at the
 * end of co, as in an interleaving.  There are none if the operation has to wait.  Returns false if
 * an error is met. */
bool lp_ways_of(struct lp_explorer *, const struct lp_move *, bool latest, struct lp_ways *);

/* Adds the move's event or events to the graph.  Returns false if the model rejects this way; the
 * graph is then as before.  An error stops the explorer. */
bool lp_act_go(struct lp_explorer *, const struct lp_move *, uint32_t way);

/* Adds the read of an operation that has to wait, and makes the thread wait. */
void lp_act_wait(struct lp_explorer *, const struct lp_move *);

/* No thread can continue except those marked in `spinning`, which were seen to repeat a loop.
 * Lets each of these run one more iteration that reads the latest values, with the numbers chosen on
 * the way taken from `choices` (in mixed radix), and lets the waiting threads wait.  Returns false
 * if a spinning thread left its loop; otherwise `*how` says how the execution ended. */
bool lp_act_settle(struct lp_explorer *, const bool *spinning, const uint32_t *choices,
	       enum lp_conclusion *how);

#endif
