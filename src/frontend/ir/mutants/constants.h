/* constants.h -- comparisons and constants that are off by one. */
#ifndef LP_FRONTEND_IR_MUTANTS_CONSTANTS_H
#define LP_FRONTEND_IR_MUTANTS_CONSTANTS_H

#include "frontend/ir/ir.h"

/* Is it a comparison by <, <=, > or >=? */
bool lp_ir_has_boundary(lp_ir_value instruction);
/* The other one, with or without equality; the builder is where it is wanted. */
lp_ir_value lp_ir_other_boundary(struct lp_ir *, lp_ir_value comparison);

/* Does it add, subtract or store an integer constant, or compare and exchange one?  Which operand? */
bool lp_ir_added_constant(lp_ir_value instruction, unsigned *operand);

/* Does it make a constant the function's result? */
bool lp_ir_is_constant_result(lp_ir_value instruction);

/* One less; if it is 0 or negative, one more. */
lp_ir_value lp_ir_changed(lp_ir_value constant);
/* "1 -> 0" */
void lp_ir_say_change(lp_ir_value constant, char *out, size_t size);

#endif
