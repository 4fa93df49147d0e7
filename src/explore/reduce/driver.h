/* driver.h -- inside the explorers: the functions through which they use the reductions.
 *
 *     lp_reduce_before()     is called when a thread is about to perform an operation: is the operation unnecessary, because of
 *                            what the thread did last, or of what another thread does?
 *     lp_reduce_note()       is called for each event that is explored: records facts that reductions rely on
 *     lp_reduce_is_broken()  tells whether such a fact has turned out to be false
 *
 * When a fact is false, ../restarts.h restarts the exploration with weaker options.  Some reductions concern a single alternative of an
 * operation, and are called where the explorer fills in this alternative (graph/grow.c, graph/graph_explorer.c): silent RMWs, twins,
 * arrivals, shifts, helping.
 */
#ifndef LP_EXPLORE_REDUCE_DRIVER_H
#define LP_EXPLORE_REDUCE_DRIVER_H

#include "explore/graph/frame.h"
#include "explore/reduce/facts/answers.h"
#include "explore/reduce/like_threads.h"

enum lp_turn_kind {
	LP_TURN_PERFORMS, /* the thread performs the operation */
	LP_TURN_READS,   /* the thread reads from the event `from` instead of performing its store */
	LP_TURN_WAITS,   /* the thread waits until another thread has performed the same operation */
	LP_TURN_STUCK,   /* the thread waits until one of its reads is revisited */
	LP_TURN_PARKED,  /* the thread was parked (park.h) */
	LP_TURN_OMITS,   /* the thread's last iteration, which began at the index `from`, is redundant; only in explorers that
	                  * only go forward, which remove the iteration */
	LP_TURN_USELESS, /* no complete execution extends the graph, so it can be abandoned */
};

struct lp_turn {
	enum lp_turn_kind kind;
	uint32_t from;
};

/* Decides what is to be done with the pending operation `*op` of the thread, which is in live state `live`.  This may need trials, which
 * can move the operation in memory; so `*op` is updated. */
struct lp_turn lp_reduce_before(struct lp_explorer *, lp_tid, const struct lp_op **op, uint32_t live);

/* To be called when a revisit has given the thread's last read another rf, and the thread has then come to the operation, in live state
 * `live`.  Can the graph be abandoned? */
bool lp_reduce_is_useless(struct lp_explorer *, lp_tid, const struct lp_op *, uint32_t live);

/* To be called when a revisit has given the thread's last read another rf, but the read has not been performed yet.  Is it already known that the
 * graph can be abandoned? */
bool lp_reduce_is_known_useless(struct lp_explorer *, lp_tid);

/* To be called for each event of the top frame that is explored. */
void lp_reduce_note(struct lp_explorer *, lp_eid);

/* Has a fact that was relied upon turned out to be false, so that the execution of the top frame may be infeasible?  While the pass only goes
 * on to learn (learn.h), facts about writes (answers.h) do not count. */
static inline bool lp_reduce_is_broken(const struct lp_explorer *x)
{
	return lp_helping_is_broken(x->facts) || (!x->learn.until && lp_answers_is_broken(x->answers)) ||
	       lp_like_is_broken(x->machine.like.facts);
}

#endif
