/* sweep.h -- checks a history by following all possible states through time.
 *
 * A possibility is a state, together with the set of open calls that have taken effect.  When a call ends, it must have
 * taken effect: the new possibilities are those where some of the other open calls take effect first, in any order, and
 * then this call.  (Lowe, "Testing for linearizability", 2017, calls this just-in-time linearization.)  So memory depends
 * on how many calls overlap, not on the length of the history.  The method is meant for objects with few words of state.
 */
#ifndef LP_CHECK_HISTORY_SWEEP_H
#define LP_CHECK_HISTORY_SWEEP_H

#include "check/history/problem.h"

/* Is a problem that lp_problem_take() has made correct?  Returns false if it is wrong, or if there are too many possibilities at
 * some time. */
bool lp_sweep_finds_right(const struct lp_problem *p);

#endif
