/* learn.h -- inside the graph explorer: a pass with a false fact goes on for a while, to learn more facts.
 *
 * When a fact about the writes to a location (reduce/facts/answers.h) turns out to be false, the exploration must restart.  In a large
 * exploration many such facts are found to be false one after the other, and a pass for each of them would be expensive.  So if a
 * pass has visited many graphs when the first fact turns out to be false, it goes on until it has visited twice as many.
 *
 * Some of the graphs visited after the false fact may be infeasible.  The facts learned from them can only make reductions leave out
 * less.  These graphs have no other effect: no callback of the user is called, and an error in one of them only ends the pass.
 *
 * A pass ends at once if its walk is shared with other processes or kept in a checkpoint.  So does a pass that has a limit on the
 * number of graphs, because this limit counts feasible graphs.
 */
#ifndef LP_EXPLORE_LEARN_H
#define LP_EXPLORE_LEARN_H

#include <stdbool.h>

struct lp_explore_options;
struct lp_explorer;

/* Must the pass end, because it is to be repeated and has learned enough?  Returns false if the pass need not be repeated, or goes on
 * to learn; in the latter case, the first call changes the explorer's options as lp_explore_silently() does. */
bool lp_learn_is_enough(struct lp_explorer *);

/* Has an error ended a pass that only went on to learn? */
bool lp_learn_has_erred(const struct lp_explorer *);

/* Changes the options so that the visited graphs are not reported by callbacks, and every execution is judged right without asking
 * the judge. */
void lp_explore_silently(struct lp_explore_options *);

#endif
