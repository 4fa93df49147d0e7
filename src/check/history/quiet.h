/* quiet.h -- what a history can have led to at its quiet moments.
 *
 * At a quiet moment no operation is open: whatever started before it has ended.  So every linearization has
 * the same operations before it, and what follows depends on the states that they can have led to, and
 * on nothing else.  Two quiet moments with the same set of states are as good as one:
 *
 *     ---- A ----|---- B ----|---- C ----        if A and A B lead to the same states,
 *               {s, t}      {s, t}               then A B C is right iff A C is
 */
#ifndef LP_CHECK_HISTORY_QUIET_H
#define LP_CHECK_HISTORY_QUIET_H

#include <stdint.h>

#include "check/history/problem.h"

/* Fills `ops` with the operations that are left when everything between equal moments is taken
 * out, as much as possible, and returns how many those are: the same number as before if there is nothing to
 * take out, or if it takes too many steps to know. */
uint32_t lp_quiet_cut(const struct lp_problem *p, uint32_t *ops);

#endif
