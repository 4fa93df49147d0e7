/* privacy.h -- private variables: local variables that no other thread and no other function can know.
 *
 * The address of a private variable is used only for accesses and comparisons, perhaps after arithmetic; it is never stored, passed
 * on, returned or converted to an integer.  Besides, if an address may point to a private variable, it cannot point to anything but
 * private variables.  So the accesses of a private variable need no hooks, and LLVM may promote the variable to a value.
 */
#ifndef LP_FRONTEND_IR_STATE_PRIVACY_H
#define LP_FRONTEND_IR_STATE_PRIVACY_H

#include "frontend/ir/ir.h"

/* Finds the private variables of a function: allocas, and arguments that are passed in memory. */
void lp_ir_find_private(struct lp_ir *, lp_ir_value function, struct lp_ir_values *found);

/* Removes each variable that is accessed by an address which may also point to something other than `variables`. */
void lp_ir_remove_mixed(lp_ir_value function, struct lp_ir_values *variables);

/* Does the address point only to variables of the list? */
bool lp_ir_points_to(lp_ir_value address, const struct lp_ir_values *variables);

/* Returns the variable, or other value, from which the address is computed; NULL if there are several. */
lp_ir_value lp_ir_only_root(lp_ir_value address);

/* May the address be computed from a local variable, or from an argument that is passed in memory? */
bool lp_ir_may_be_local(lp_ir_value address);
/* Is parameter number `parameter` of the function passed in memory, that is, in the stack of the caller? */
bool lp_ir_is_passed_in_memory(lp_ir_value function, unsigned parameter);

/* Is the address in memory that is never written? */
bool lp_ir_is_constant(lp_ir_value address);

/* Is argument number `argument` an address that the hook uses only for an access? */
bool lp_ir_hook_accesses(const char *hook, unsigned argument);

#endif
