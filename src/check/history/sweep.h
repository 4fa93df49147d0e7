/* sweep.h -- checks a history by following all possible states through time.
 *
 * A possibility is a state, together with the set of open calls that have taken effect.  When a call c ends, it must have
 * taken effect.  So each possibility in which c has not taken effect is replaced by the possibilities that result if some of
 * the other open calls take effect, in any order, and then c.  (Lowe, "Testing for linearizability", 2017, calls this
 * just-in-time linearization.)  The number of possibilities depends on how many calls overlap, not on the length of the
 * history.  The method is meant for objects whose state is small.
 */
#ifndef LP_CHECK_HISTORY_SWEEP_H
#define LP_CHECK_HISTORY_SWEEP_H

#include "check/history/problem.h"

/* Is the problem, made by lp_problem_take(), found to be linearizable?  False if it is not linearizable, if the method does not
 * apply, if the answer is no longer wanted, or if there are too many possibilities at some time. */
bool lp_sweep_finds_right(const struct lp_problem *p);

#endif
