/* fixed.h -- variables whose accesses all have a known offset and size.
 *
 * A private variable (privacy.h) is fixed if each of its accesses is at a constant offset, has a constant
 * size and stays within the variable.  Only fixed variables become values: their bounds need no check, and flags can record which
 * of their bytes are written (written.h).
 */
#ifndef LP_FRONTEND_IR_STATE_FIXED_H
#define LP_FRONTEND_IR_STATE_FIXED_H

#include "frontend/ir/ir.h"

/* Removes the variables that are not fixed from `private`. */
void lp_ir_keep_fixed(struct lp_ir *, lp_ir_value function, struct lp_ir_values *private);

/* Is the address at a constant offset in the variable, and are the next `length` bytes within the variable? */
bool lp_ir_is_within(struct lp_ir *, lp_ir_value address, lp_ir_value variable, lp_ir_value length);

/* Does a hook access the variable as memory that other threads may know? */
bool lp_ir_is_hooked(lp_ir_value variable);

#endif
