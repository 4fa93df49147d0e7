/* walk.h -- inside the graph explorer: the walk through the tree of choices.
 *
 * These functions are for callers that start the walk elsewhere than at the root, or share it with
 * other processes. */
#ifndef LP_EXPLORE_GRAPH_WALK_H
#define LP_EXPLORE_GRAPH_WALK_H

#include "explore/graph/frame.h"
#include "explore/restarts.h"

/* Visits, depth first, everything that can be reached from the frames of the explorer: first the graphs that extend the graph of the top frame (with
 * `at_choice`, these are skipped), and then the remaining alternatives of all choices.  Returns false if the walk ended early, because the explorer
 * was stopped, or because x->walk.between() returned false. */
bool lp_walk(struct lp_explorer *, bool at_choice);

/* To be called when the walk has ended; `visited` tells whether it has visited everything.  Returns how the
 * pass ends (restarts.h), and sets its estimate. */
enum lp_pass_end lp_walk_end(struct lp_explorer *, bool visited);

/* Another process has met an error in the graph of the only frame.  Continues until this process meets the error, too.  Usually
 * this happens at once, and no events are added; in particular not those that the other
 * process left out, such as ends of threads and joins of main() (final_joins.h).  The exception is an error that two threads
 * cause together although no operation orders them: one thread detaches a third one, which the other joins.  This error is met when
 * the later of the two continues, and other threads may continue before. */
void lp_walk_into_error(struct lp_explorer *);

/* The fraction of the whole tree that lies before the current position of the walk. */
double lp_walk_visited(const struct lp_explorer *);

/* The number of all executions, estimated from lp_walk_visited() and the number of executions so far; 0: not known yet. */
double lp_walk_estimate(const struct lp_explorer *);

/* Returns the choice nearest to the root that may have alternatives left; NULL if there is none.
 * The walk would come to these alternatives last.  `*frame` becomes the frame of the choice.  `*share` becomes the size of the
 * subtree below the choice, and `*visited` the size of what lies before this subtree, both as fractions of the whole tree. */
struct lp_choice *lp_walk_spare(struct lp_explorer *, struct lp_frame **frame, double *share,
				double *visited);

/* Goes back to the last choice that has an alternative left, and takes this alternative, perhaps in a new frame.  Returns false
 * if no alternative is left. */
bool lp_walk_back(struct lp_explorer *);

#endif
