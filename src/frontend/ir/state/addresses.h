/* addresses.h -- detects programs that look at addresses in the stack of a thread.
 *
 * Threads that run the same code differ in the addresses of their local variables.  If a local variable is not private (privacy.h),
 * or if hooks access it, its lifetime is reported to the runtime (objects.h), which takes care of its address.  This pass examines
 * how the addresses of all other local variables are used. */
#ifndef LP_FRONTEND_IR_STATE_ADDRESSES_H
#define LP_FRONTEND_IR_STATE_ADDRESSES_H

#include "frontend/ir/ir.h"

/* Sets LP_TELLS_ADDRESSES if the program may depend on the position of a thread's stack.  The addresses of variables whose
 * lifetimes are reported to the runtime do not count.  To be called before lp_ir_insert_objects(). */
void lp_ir_find_addresses(struct lp_ir *);

#endif
