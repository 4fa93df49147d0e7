/* act.h -- inside the explorers that never go back: performs one operation in one of the possible ways.
 *
 * A schedule is a sequence of moves.  In a move a thread performs its pending operation in one of
 * the ways that the current graph allows.  A way is a number:
 *
 *     a read         2 * the position in co of the write that it reads from, plus 1 if the
 *                    operation is a weak compare-exchange that fails spuriously
 *     a write        its position in co
 *     a choice       the number that is chosen
 *     anything else  0
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

/* Lists the ways, from the latest position in co to the earliest; with `latest`, only those at the
 * end of co, as in an interleaving.  The list is empty if the operation has to wait.  Returns false
 * if an error is met. */
bool lp_ways_of(struct lp_explorer *, const struct lp_move *, bool latest, struct lp_ways *);

/* Adds the move's event or events to the graph.  Returns false if the model rejects this way; the
 * graph is then as before.  An error stops the explorer. */
bool lp_act_go(struct lp_explorer *, const struct lp_move *, uint32_t way);

/* Adds the read of an operation that has to wait, and makes the thread wait. */
void lp_act_wait(struct lp_explorer *, const struct lp_move *);

/* To be called when no thread can continue except those marked in `spinning`, which were seen to
 * repeat a loop.  Lets each spinning thread run one more iteration, which reads the latest values.
 * The numbers that a thread chooses on the way are the digits of choices[thread] (in mixed radix).
 * Then makes the other threads wait (lp_act_wait()).  Returns false if a spinning thread left its
 * loop; otherwise `*how` says how the execution ended. */
bool lp_act_settle(struct lp_explorer *, const bool *spinning, const uint32_t *choices,
	       enum lp_conclusion *how);

#endif
