/* errands.h -- several machines explore an object with many memory orders.
 *
 * Rank 0 runs the search for memory orders, and explores.  If an exploration takes longer than a moment, the other machines take part in
 * it.  They have loaded the same object, and rank 0 sends them an errand: the client and the memory orders (explore/parallel/team.h).
 */
#ifndef LP_VERIFY_ORDERS_ERRANDS_H
#define LP_VERIFY_ORDERS_ERRANDS_H

#include "verify/task/check_object.h"

/* To be called on all ranks, after lp_check_open() and before the first exploration.  On rank 0 the function returns.  On every other
 * rank it serves rank 0, and does not return.  The function does nothing if there is only one machine. */
void lp_errands_begin(struct lp_check *);

#endif
