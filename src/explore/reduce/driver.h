/* driver.h -- inside the explorers: the functions through which they use the reductions.
 *
 *     lp_reduce_before()     a thread is about to perform an operation: does what it did last, or what another
 *                            thread does, make the operation unnecessary?
 *     lp_reduce_note()       an event is explored: records facts that reductions rely on
 *     lp_reduce_is_broken()  has such a fact turned out to be false?
 *
 * When a fact is false, ../restarts.h restarts with weaker options.  Some reductions concern a single alternative of an operation, and are
 * called where the explorer fills in this alternative (graph/grow.c, graph/graph_explorer.c): silent RMWs, twins, arrivals, shifts, helping.
 */
#ifndef LP_EXPLORE_REDUCE_DRIVER_H
#define LP_EXPLORE_REDUCE_DRIVER_H

#include "explore/graph/frame.h"
#include "explore/reduce/facts/answers.h"
#include "explore/reduce/like_threads.h"

enum lp_turn_kind {
	LP_TURN_PERFORMS,
	LP_TURN_READS,   /* reads from the event `from` instead of storing */
	LP_TURN_WAITS,   /* waits until another thread has performed the same operation */
	LP_TURN_STUCK,   /* waits until a read of the thread is revisited */
	LP_TURN_PARKED,
	LP_TURN_OMITS,   /* its last iteration, which began at the index `from`, is redundant: for explorers that only
	                  * go forward */
	LP_TURN_USELESS, /* no complete execution extends the graph, so it can be abandoned */
};

struct lp_turn {
	enum lp_turn_kind kind;
	uint32_t from;
};

/* The thread, in live state `live`, is about to perform its pending operation `*op`: what is to be done?  Trials may have moved
 * the operation in memory, so `*op` is updated. */
struct lp_turn lp_reduce_before(struct lp_explorer *, lp_tid, const struct lp_op **op, uint32_t live);

/* A revisit gave the thread's last read another rf, and the thread is now at the operation.  Can the graph be abandoned? */
bool lp_reduce_is_useless(struct lp_explorer *, lp_tid, const struct lp_op *, uint32_t live);

/* Can the graph be abandoned, as is already known before this read is performed? */
bool lp_reduce_is_known_useless(struct lp_explorer *, lp_tid);

/* To be called for each event of the top frame that is explored. */
void lp_reduce_note(struct lp_explorer *, lp_eid);

/* Has a fact that was relied upon turned out to be false?  Then the execution of the top frame may be infeasible.  While the pass only goes
 * on to learn (learn.h), facts about writes do not count. */
static inline bool lp_reduce_is_broken(const struct lp_explorer *x)
{
	return lp_helping_is_broken(x->facts) || (!x->learn.until && lp_answers_is_broken(x->answers)) ||
	       lp_like_is_broken(x->machine.like.facts);
}

#endif
