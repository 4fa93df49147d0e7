/* allocated.h -- finds the type of the memory that a call of an allocator returns.
 *
 * malloc() returns untyped bytes.  The type is the one that the source gives to the result: that of the
 * pointer to which the result is assigned, or as which it is returned or passed on; or that of the
 * new-expression.  It is found before LLVM's passes run, while variables are still memory, and stored with
 * the call's place in the source until the call gets its site.
 */
#ifndef LP_FRONTEND_IR_ALLOCATED_H
#define LP_FRONTEND_IR_ALLOCATED_H

#include "frontend/ir/ir.h"

/* Stores the type, if x is a call of a function outside the program. */
void lp_ir_allocated_note(struct lp_ir *, lp_ir_value x);
/* Returns the text of the type that was stored (names.h); 0: none. */
uint32_t lp_ir_allocated(struct lp_ir *, lp_ir_value call);

#endif
