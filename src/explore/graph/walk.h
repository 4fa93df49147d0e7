/* walk.h -- inside the graph explorer: its walk through the tree of choices, for
 * whoever begins it elsewhere than at the root, or shares it with others. */
#ifndef LP_EXPLORE_GRAPH_WALK_H
#define LP_EXPLORE_GRAPH_WALK_H

#include "explore/graph/frame.h"

/* Visits, depth first, what lies beyond the frames of the explorer: first the graph of the
 * top frame, unless `at_choice`, then the alternatives of all choices.  False if it did
 * not come to its end: the explorer was stopped, or x->walk.between() did not want to go on. */
bool lp_walk(struct lp_explorer *, bool at_choice);

/* The graph of the only frame is one in which an error was met: meets it again.  At once, but
 * for errors of two threads that no operation orders (one detaches what the other joins): it
 * is met when the later of them goes on, and the one to go first may be a third. */
void lp_walk_into_error(struct lp_explorer *);

/* How much of the whole tree lies before where the walk is, as a fraction. */
double lp_walk_visited(const struct lp_explorer *);

/* How many executions there are, judging by that. */
double lp_walk_estimate(const struct lp_explorer *);

/* The first choice, from the root, that may have alternatives left; NULL if there is none.
 * All of them come after everything else that is left of the walk.  `*frame` is whose;
 * `*share` and `*visited` are what lp_walk_visited() computes just before that choice. */
struct lp_choice *lp_walk_spare(struct lp_explorer *, struct lp_frame **frame, double *share,
				double *visited);

/* Adds the next event to the graph of the top frame, the first way that it can go; if there
 * may be others, the choice is on the frame's stack. */
enum lp_walk_step {
	LP_WALK_GROWN,
	LP_WALK_NOTHING,  /* no way is consistent, but the choice may have revisits */
	LP_WALK_COMPLETE, /* no event: the execution is complete */
	LP_WALK_END,      /* nor ever will be; or the explorer was stopped */
};
enum lp_walk_step lp_walk_step(struct lp_explorer *);

/* Takes the next alternative of the last choice of the top frame, perhaps in a new frame.
 * False if there is none; the choice is then gone. */
bool lp_walk_alternative(struct lp_explorer *);

#endif
