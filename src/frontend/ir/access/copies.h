/* copies.h -- hooks for structures that are copied, filled, or passed by value. */
#ifndef LP_FRONTEND_IR_ACCESS_COPIES_H
#define LP_FRONTEND_IR_ACCESS_COPIES_H

#include "frontend/ir/ir.h"

/* The call may be of memcpy, memmove or memset, as compilers have them for assignments and
 * initialisations, or pass arguments in memory.  The builder is before it. */
void lp_ir_hook_copies(struct lp_ir *, lp_ir_value function, lp_ir_value call,
		       const struct lp_ir_values *private);

#endif
