/* walk.h -- inside the graph explorer: the walk through the tree of choices.
 *
 * For callers that start it elsewhere than at the root, or share it with other processes. */
#ifndef LP_EXPLORE_GRAPH_WALK_H
#define LP_EXPLORE_GRAPH_WALK_H

#include "explore/graph/frame.h"
#include "explore/restarts.h"

/* Visits, depth first, all that can be reached from the frames of the explorer: first what extends the
 * graph of the top frame, unless `at_choice`, then the alternatives of all choices.  False if it
 * ended early: the explorer was stopped, or x->walk.between() returned false. */
bool lp_walk(struct lp_explorer *, bool at_choice);

/* How a pass ends (restarts.h), and its estimate, if the walk has ended, and has visited everything or not. */
enum lp_pass_end lp_walk_end(struct lp_explorer *, bool visited);

/* The graph of the only frame is one in which an error was met.  Continues until it is met again.
 * That is at once, except for errors between two threads that no operation orders (one detaches a
 * thread that the other joins): these are met when the later of the two continues, and a third
 * thread may go first. */
void lp_walk_into_error(struct lp_explorer *);

/* The fraction of the whole tree that lies before the current position of the walk. */
double lp_walk_visited(const struct lp_explorer *);

/* The estimated number of executions, from that fraction. */
double lp_walk_estimate(const struct lp_explorer *);

/* The choice nearest to the root that may have alternatives left; NULL if there is none.
 * The walk would come to these alternatives last.  `*frame` is the frame of the choice;
 * `*share` and `*visited` are the fractions of the tree at that choice, as for lp_walk_visited(). */
struct lp_choice *lp_walk_spare(struct lp_explorer *, struct lp_frame **frame, double *share,
				double *visited);

/* Adds the next event to the graph of the top frame, in the first way that is possible.  If there
 * may be other ways, the choice is on the frame's stack. */
enum lp_walk_step {
	LP_WALK_GROWN,
	LP_WALK_NOTHING,  /* no way is consistent, but the choice may have revisits */
	LP_WALK_COMPLETE, /* no event: the execution is complete */
	LP_WALK_END,      /* no event, and it ended blocked; or the explorer was stopped */
};
enum lp_walk_step lp_walk_step(struct lp_explorer *);

/* Takes the next alternative of the last choice of the top frame, perhaps in a new frame.
 * False if there is none; the choice is then gone. */
bool lp_walk_alternative(struct lp_explorer *);

#endif
