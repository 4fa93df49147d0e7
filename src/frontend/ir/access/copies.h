/* copies.h -- hooks for structures that are copied, filled, or passed by value. */
#ifndef LP_FRONTEND_IR_ACCESS_COPIES_H
#define LP_FRONTEND_IR_ACCESS_COPIES_H

#include "frontend/ir/ir.h"

/* Inserts hooks for two sorts of calls: calls of memcpy, memmove and memset, which compilers use for assignments and
 * initialisations; and calls that pass arguments in memory.  Does nothing for other calls.  `private` has the private variables of
 * the function.  The builder must be before the call. */
void lp_ir_hook_copies(struct lp_ir *, lp_ir_value function, lp_ir_value call,
		       const struct lp_ir_values *private);

#endif
