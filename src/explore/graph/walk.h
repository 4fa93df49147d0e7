/* walk.h -- inside the graph explorer: the walk through the tree of choices.
 *
 * These functions are for callers that start the walk elsewhere than at the root, or share it with
 * other processes. */
#ifndef LP_EXPLORE_GRAPH_WALK_H
#define LP_EXPLORE_GRAPH_WALK_H

#include "explore/graph/frame.h"
#include "explore/restarts.h"

/* Visits, depth first, everything that can be reached from the frames of the explorer: first the
 * graphs that extend the graph of the top frame, unless `at_choice`, then the alternatives of all
 * choices.  Returns false if the walk ended early: the explorer was stopped, or x->walk.between()
 * returned false. */
bool lp_walk(struct lp_explorer *, bool at_choice);

/* To be called when the walk has ended; `visited` tells whether it has visited everything.  Returns how the
 * pass ends (restarts.h), and sets its estimate. */
enum lp_pass_end lp_walk_end(struct lp_explorer *, bool visited);

/* An error was met in the graph of the only frame.  Continues until the error is met again.  Usually
 * this happens at once, and nothing is added: neither the ends of other threads nor joins of main(), which the
 * process that found the error may have left out (final_joins.h).  The exception is an error between two threads
 * that no operation orders, such as when one detaches a thread that the other joins: it is met when the later of
 * the two continues, and a third thread may continue before. */
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

/* Goes back to the last choice that has an alternative left, and takes this alternative, perhaps in a new frame.  Returns false
 * if no alternative is left. */
bool lp_walk_back(struct lp_explorer *);

#endif
