/* errands.h -- an object that is explored with many memory orders, on several machines.
 *
 * Rank 0 searches, and explores.  If an exploration takes longer than a moment, the other machines take part in it.  They have the same
 * object loaded, and rank 0 sends them an errand: the client and the memory orders (explore/parallel/team.h).
 */
#ifndef LP_VERIFY_ORDERS_ERRANDS_H
#define LP_VERIFY_ORDERS_ERRANDS_H

#include "verify/task/check_object.h"

/* To be called before the first exploration of an open check.  On rank 0 it returns; on every other rank it serves rank 0, and does not
 * return.  It does nothing if there is only one machine. */
void lp_errands_begin(struct lp_check *);

#endif
