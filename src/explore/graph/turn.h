/* turn.h -- inside the graph explorer: may a thread perform its next operation? */
#ifndef LP_EXPLORE_GRAPH_TURN_H
#define LP_EXPLORE_GRAPH_TURN_H

#include "explore/graph/frame.h"

enum lp_turn {
	LP_TURN_GOES_ON,
	LP_TURN_STUCK,   /* until a read of the thread is revisited */
	LP_TURN_PARKED,
	LP_TURN_USELESS, /* never: the graph can be abandoned */
};

/* The thread is about to perform the operation, in that live state.  Does what it did last stop it? */
enum lp_turn lp_turn_of(struct lp_explorer *, lp_tid, const struct lp_op *, uint32_t live);

#endif
