/* sweep.h -- all that a history can have led to, one moment after the other.
 *
 * A possibility is which of the open calls have taken effect, and the state.  When a call ends, it has: what is possible
 * then is what one gets by letting others that are open take effect first, in any order, and then the call.  (Lowe, "Testing
 * for linearizability", 2017, calls that just in time.)  So memory does not grow with the length of the history, but only with what
 * overlaps; it is meant for objects with few words of state.
 */
#ifndef LP_CHECK_HISTORY_SWEEP_H
#define LP_CHECK_HISTORY_SWEEP_H

#include "check/history/problem.h"

/* Of a problem from lp_problem_take().  False if it is wrong, or too much is possible at a time. */
bool lp_sweep_finds_right(const struct lp_problem *p);

#endif
