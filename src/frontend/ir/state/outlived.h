/* outlived.h -- finds variables that are accessed after the end of their lifetime.
 *
 *     int *p;
 *     { int x = 1; p = &x; }
 *     return *p;
 *
 * Once LLVM has promoted p to a value, the address of x is used for accesses only, so x is private (privacy.h).  But if x became a
 * value, too, the end of its lifetime would be lost, and linchpin would not find the error.  So x keeps its hooks, and the runtime
 * reports the access. */
#ifndef LP_FRONTEND_IR_STATE_OUTLIVED_H
#define LP_FRONTEND_IR_STATE_OUTLIVED_H

#include "frontend/ir/ir.h"

/* Removes a variable from `private` if some path leads from the end of its lifetime to an access of it, without a new beginning of
 * the lifetime in between. */
void lp_ir_remove_outlived(lp_ir_value function, struct lp_ir_values *private);

#endif
