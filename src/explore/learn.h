/* learn.h -- inside the graph explorer: a pass with a false fact goes on for a while, to learn more facts.
 *
 * When a fact about the writes to a location (reduce/facts/answers.h) turns out to be false, the exploration must restart.  In a large
 * exploration many such facts are found to be false one after the other, and a pass for each of them would be expensive.  So a
 * pass that has visited many graphs goes on until it has visited twice as many.
 *
 * Some of the graphs visited after the false fact may be infeasible.  What is learned from them can only make reductions leave out
 * less.  Nobody else is told of these graphs: no callback is called, and an error in one of them only ends the pass.
 *
 * Passes whose walk is shared with other processes, or is kept in a checkpoint, end at once.  So do passes that have a limit on the number of
 * graphs, because this limit is meant for feasible ones.
 */
#ifndef LP_EXPLORE_LEARN_H
#define LP_EXPLORE_LEARN_H

#include <stdbool.h>

struct lp_explore_options;
struct lp_explorer;

/* Must the pass end, because it is to be repeated and has learned enough? */
bool lp_learn_is_enough(struct lp_explorer *);

/* Has an error ended a pass that only went on to learn? */
bool lp_learn_has_erred(const struct lp_explorer *);

/* Changes the options so that nobody is told of the graphs that are visited.  All executions are taken for right. */
void lp_explore_silently(struct lp_explore_options *);

#endif
