/* errands.h -- an object that is explored with many memory orders, on several machines.
 *
 * Rank 0 searches, and explores.  An exploration that takes longer than a moment is made together with the other machines, which have the same
 * object loaded, and are told the client and the memory orders (explore/parallel/team.h).
 */
#ifndef LP_VERIFY_ORDERS_ERRANDS_H
#define LP_VERIFY_ORDERS_ERRANDS_H

#include "verify/task/check_object.h"

/* Before the first exploration of an open check.  Returns on rank 0, and does nothing if there are no other machines; another rank serves, and does not return. */
void lp_errands_begin(struct lp_check *);

#endif
