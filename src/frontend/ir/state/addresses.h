/* addresses.h -- programs that look at addresses in the stack of a thread.
 *
 * Threads that run the same code differ in the addresses of their local variables.  The runtime sees when a thread has a variable
 * that is not private (privacy.h).  What the address of another one is used for is found here. */
#ifndef LP_FRONTEND_IR_STATE_ADDRESSES_H
#define LP_FRONTEND_IR_STATE_ADDRESSES_H

#include "frontend/ir/ir.h"

/* Sets LP_TELLS_ADDRESSES if the program may depend on where the stack of a thread is, other than by a variable whose beginning the
 * runtime is told of.  To be called before lp_ir_insert_objects(). */
void lp_ir_find_addresses(struct lp_ir *);

#endif
