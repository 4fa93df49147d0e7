/* bounds.h -- checks accesses of those local variables that stay in memory.
 *
 * A private variable that is not fixed (fixed.h), such as an array with a computed index, keeps its hooks, so that
 * the runtime sees which of its bytes are written.  No other thread can know the variable, so its hooks are marked
 * LP_SITE_PRIVATE: the runtime checks these accesses, but does not report them to the explorer.
 *
 * If the address of an access is computed from a single variable, the access must stay within that variable.  A call of
 * lp_within() checks this.  The check finds an access beyond the variable whatever is next to the variable in memory.
 */
#ifndef LP_FRONTEND_IR_STATE_BOUNDS_H
#define LP_FRONTEND_IR_STATE_BOUNDS_H

#include "frontend/ir/ir.h"

void lp_ir_check_bounds(struct lp_ir *);

#endif
