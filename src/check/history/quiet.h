/* quiet.h -- the possible states of a history at its quiet moments.
 *
 * At a quiet moment no operation is open: every operation that started before it has ended.  So every
 * linearization has the same operations before it, and whether the rest is right depends only on the states that
 * these can lead to.  The part between two quiet moments with the same set of states can be removed:
 *
 *     ---- A ----|---- B ----|---- C ----        if A and A B lead to the same states,
 *               {s, t}      {s, t}               then A B C is right iff A C is
 */
#ifndef LP_CHECK_HISTORY_QUIET_H
#define LP_CHECK_HISTORY_QUIET_H

#include <stdbool.h>
#include <stdint.h>

#include "check/history/problem.h"

/* Removes as much as possible between quiet moments with equal sets of states, but no operation that `stays`.  Fills `ops`
 * with the operations that remain, and returns their number: all of them if nothing can be removed, or if that takes
 * too many steps to find out. */
uint32_t lp_quiet_cut(const struct lp_problem *p, const bool *stays, uint32_t *ops);

#endif
