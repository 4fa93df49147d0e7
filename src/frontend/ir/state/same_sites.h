/* same_sites.h -- hooks that do the same, and after which the same is done.
 *
 *     seen = load(&x);                               a
 *     while (seen == 0 || !cas(&x, &seen, seen - 1))
 *             seen = load(&x);                       b
 *
 * The loop waits, but it is written with two loads.  At b a thread is where it was at a: each answer leads from both to
 * the same place with the same values.  So the two places are the same to live states (runtime/live_state.c).  A
 * thread that comes to b after a has made an iteration, and is parked (explore/reduce/park.h) like one whose loop has a
 * single load.
 *
 * Claim: a thread at a and a thread at b that are in the same live state continue in the same ways, if
 *   1  a and b call the same hook, of an atomic load or read-modify-write;
 *   2  after it their blocks do the same computations, of the same values or of each other's results, and nothing else;
 *   3  they go on to the same blocks, on the same conditions;
 *   4  every phi node there gets the same value from both, or each other's results;
 *   5  the same values and variables are live while the hooks are called.
 * Location, operands and orders are part of the live state, so by 1 the threads ask for the same operation.  Whatever the
 * answer is, by 2 to 4 they come to the same block with the same values in its phi nodes.  Other values that are used from there on,
 * on any way, are live at both hooks or at none, by 5, and the same; a result of a that is used besides these phi nodes would be
 * live at b, and not at a.  What is left to tell the threads apart is the place in the source of one operation, which only reports
 * show.  A redundant iteration from a to b is therefore left out for the same reason as one from b to b: there is an
 * execution in which a returns what b returned, and it continues in the same way.  Marks of coverage are not among the
 * computations of 2,
 * so that what is left out has set the same ones.
 */
#ifndef LP_FRONTEND_IR_STATE_SAME_SITES_H
#define LP_FRONTEND_IR_STATE_SAME_SITES_H

#include "frontend/ir/state/live.h"

/* Fills in, for each of live->sites, the number of the first one that is the same: perhaps its own. */
void lp_ir_find_same(const struct lp_ir_live *live, uint32_t *same);

#endif
