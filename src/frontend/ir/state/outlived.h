/* outlived.h -- variables that are accessed after their end.
 *
 *     int *p;
 *     { int x = 1; p = &x; }
 *     return *p;
 *
 * Once p is a value, nothing but accesses uses the address of x: it is private (privacy.h).  But if x became a value,
 * too, its end would be forgotten.  Such a variable keeps its hooks, and the runtime reports the access. */
#ifndef LP_FRONTEND_IR_STATE_OUTLIVED_H
#define LP_FRONTEND_IR_STATE_OUTLIVED_H

#include "frontend/ir/ir.h"

/* Removes the variables that some path from their end leads to an access of, without their beginning in between. */
void lp_ir_remove_outlived(lp_ir_value function, struct lp_ir_values *private);

#endif
