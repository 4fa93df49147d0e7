/* same_sites.h -- finds pairs of equivalent hooks: both hooks do the same, and the code after both does the same.
 *
 *     seen = load(&x);                               a
 *     while (seen == 0 || !cas(&x, &seen, seen - 1))
 *             seen = load(&x);                       b
 *
 * The loop waits for a change of x, but it has two loads.  The loads are equivalent: if both read the same value, both lead to the
 * same place with the same values.  So live states do not distinguish a from b (runtime/live_state.c).  A thread that reaches b
 * after a has made an iteration, and is parked (explore/reduce/park.h) like a thread whose loop has a single load.
 *
 * Claim: a thread at a and a thread at b that are in the same live state continue in the same ways, if
 *   1  a and b call the same hook, of an atomic load or read-modify-write;
 *   2  after a and b, their blocks do the same computations and nothing else.  The operands of these computations are the same
 *      values, except that the block of a uses the result of a where the block of b uses the result of b;
 *   3  both blocks go on to the same blocks, on the same conditions;
 *   4  every phi node in these blocks gets the same value from both, or the result of a from one and the result of b from the
 *      other;
 *   5  the same values and variables are live while the hooks are called.
 *
 * Argument: location, operands and orders are part of the live state, so by 1 the threads request the same operation.  If both get the
 * same answer, by 2 to 4 they come to the same block with the same values in its phi nodes.  By 5, all other values that are used later
 * are live at both hooks or at neither, and are equal.  (If the result of a were used later other than through these phi nodes, it
 * would be live at b, but not at a.)  The threads differ only in the place of one operation in the source, which only reports show.
 *
 * So a redundant iteration from a to b can be left out for the same reason as one from b to b: there is an execution in which a returns
 * what b returned, and this execution continues in the same way.  Marks of coverage (ir/coverage/marks.h) are not among the
 * computations that 2 allows, so the iteration that is left out sets no marks of its own.
 */
#ifndef LP_FRONTEND_IR_STATE_SAME_SITES_H
#define LP_FRONTEND_IR_STATE_SAME_SITES_H

#include "frontend/ir/state/live.h"

/* Fills in, for each of live->sites, the number of the first equivalent site, which may be the site itself. */
void lp_ir_find_same(const struct lp_ir_live *live, uint32_t *same);

#endif
