/* driver.h -- inside the explorers: how they use the reductions.
 *
 *     lp_reduce_before()     a thread is about to perform an operation: does what it did last, or what another
 *                            thread does, make that needless?
 *     lp_reduce_note()       an event is explored: facts that reductions rely on are recorded
 *     lp_reduce_is_broken()  such a fact is none
 *
 * What a false fact leads to, and the options that are weaker then, are in ../restarts.h.  Some reductions concern a single alternative of an
 * operation, and are asked where that is shaped (graph/grow.c, graph/graph_explorer.c): twins, arrivals, helping.
 */
#ifndef LP_EXPLORE_REDUCE_DRIVER_H
#define LP_EXPLORE_REDUCE_DRIVER_H

#include "explore/graph/frame.h"
#include "explore/reduce/facts/answers.h"
#include "explore/reduce/like_threads.h"

enum lp_turn_kind {
	LP_TURN_PERFORMS,
	LP_TURN_READS,   /* instead: from the event `from` */
	LP_TURN_WAITS,   /* until another thread has done the same */
	LP_TURN_STUCK,   /* until a read of the thread is revisited */
	LP_TURN_PARKED,
	LP_TURN_OMITS,   /* its last iteration, which began at the index `from`: for explorers that only go forward */
	LP_TURN_USELESS, /* never: the graph can be abandoned */
};

struct lp_turn {
	enum lp_turn_kind kind;
	uint32_t from;
};

/* The thread is about to perform its pending operation, in that live state.  If it does, `*op` is the operation, which trials may
 * have moved. */
struct lp_turn lp_reduce_before(struct lp_explorer *, lp_tid, const struct lp_op **op, uint32_t live);

/* The last read of the thread was given another write.  Can the graph be abandoned, the thread being at the operation? */
bool lp_reduce_is_useless(struct lp_explorer *, lp_tid, const struct lp_op *, uint32_t live);

/* Takes notice of an event of the top frame, which is explored. */
void lp_reduce_note(struct lp_explorer *, lp_eid);

/* Has a fact that was relied upon turned out to be false?  Then the execution of the top frame may be infeasible. */
static inline bool lp_reduce_is_broken(const struct lp_explorer *x)
{
	return lp_helping_is_broken(x->facts) || lp_answers_is_broken(x->answers) || lp_like_is_broken(x->machine.like.facts);
}

#endif
