/* allocated.h -- finds the type of the memory that a call of an allocator returns.
 *
 * malloc() returns untyped bytes.  Their type is taken from the source.  In C++ the type is that of the new-expression.  Otherwise
 * it is the type to which a certain pointer points: the variable to which the call's result is assigned, the parameter to which it
 * is passed, or the result of the function that returns it.  The type is found before LLVM's passes run, while variables are still
 * memory.  It is stored with the call's place in the source until the call gets its site.
 */
#ifndef LP_FRONTEND_IR_ALLOCATED_H
#define LP_FRONTEND_IR_ALLOCATED_H

#include "frontend/ir/ir.h"

/* If x is a call of a function outside the program, finds the type of the returned memory, and stores it. */
void lp_ir_allocated_note(struct lp_ir *, lp_ir_value x);
/* Returns the text of the type that was stored for the call (lp_ir_type_key()); 0 if there is none. */
uint32_t lp_ir_allocated(struct lp_ir *, lp_ir_value call);

#endif
