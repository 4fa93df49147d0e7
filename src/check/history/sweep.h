/* sweep.h -- checks a history by following all possible states through time.
 *
 * A possibility is a state, together with the set of open calls that have taken effect.  When a call ends, it must have
 * taken effect: the new possibilities are those where some of the other open calls take effect first, in any order, and
 * then this call.  (Lowe, "Testing for linearizability", 2017, calls this just-in-time linearization.)  So memory depends
 * on how many calls overlap, not on the length of the history.  The method is meant for objects whose state is small.
 */
#ifndef LP_CHECK_HISTORY_SWEEP_H
#define LP_CHECK_HISTORY_SWEEP_H

#include "check/history/problem.h"

/* `p` was made by lp_problem_take().  Returns true if its history was found to be correct; false if it is wrong, if the method
 * does not apply, or if there are too many possibilities at some time. */
bool lp_sweep_finds_right(const struct lp_problem *p);

#endif
