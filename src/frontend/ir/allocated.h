/* allocated.h -- of which type the memory is that a call returns.
 *
 * malloc() knows of bytes only; the source says what they are for: by what the result is assigned to,
 * returned as, or passed for, and by the type of a new-expression.  Found before any pass of LLVM's has run,
 * while variables are still memory, and kept by the call's place in the source until it gets its site.
 */
#ifndef LP_FRONTEND_IR_ALLOCATED_H
#define LP_FRONTEND_IR_ALLOCATED_H

#include "frontend/ir/ir.h"

/* Notes the type, if x is a call of a function that is not the program's. */
void lp_ir_allocated_note(struct lp_ir *, lp_ir_value x);
/* The text that was noted (names.h); 0: none. */
uint32_t lp_ir_allocated(struct lp_ir *, lp_ir_value call);

#endif
