/* quiet.h -- shortens a history by removing parts that do not change the set of possible states.
 *
 * A quiet moment is a point in time at which no operation is open: every operation that started earlier has ended.  So in
 * every linearization, all operations before the moment precede all operations after the moment.  Whether the later
 * operations can be linearized depends only on the set of states to which the earlier operations can lead.  If two quiet
 * moments have the same set of states, the operations between these moments can be removed:
 *
 *     ---- A ----|---- B ----|---- C ----        if A and A B lead to the same set of states,
 *               {s, t}      {s, t}               then A B C is linearizable iff A C is
 */
#ifndef LP_CHECK_HISTORY_QUIET_H
#define LP_CHECK_HISTORY_QUIET_H

#include <stdbool.h>
#include <stdint.h>

#include "check/history/problem.h"

/* Removes as many operations as possible between quiet moments with equal sets of states.  If stays[i] is set for an operation
 * i between two moments, all operations between these moments stay.  Stores the indices of the remaining operations in `ops`,
 * and returns their number.  At a moment where the states are too expensive to compute, or where no state is possible, the
 * function stops and keeps all later operations. */
uint32_t lp_quiet_cut(const struct lp_problem *p, const bool *stays, uint32_t *ops);

#endif
