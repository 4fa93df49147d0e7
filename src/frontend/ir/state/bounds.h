/* bounds.h -- accesses of local variables that stay in memory.
 *
 * A private variable that is not fixed (fixed.h), an array with a computed index say, keeps its hooks, for
 * the runtime to see which of its bytes are written.  No other thread can know of it, so its
 * hooks are marked LP_SITE_PRIVATE: they are checked, but are no accesses that the explorer is told of.
 *
 * Where the address of an access is computed from one variable, that variable is what it has to stay in:
 * the check, lp_within(), does not depend on what lies behind the variable.
 */
#ifndef LP_FRONTEND_IR_STATE_BOUNDS_H
#define LP_FRONTEND_IR_STATE_BOUNDS_H

#include "frontend/ir/ir.h"

void lp_ir_check_bounds(struct lp_ir *);

#endif
