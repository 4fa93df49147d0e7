/* constants.h -- comparisons and constants that are off by one. */
#ifndef LP_FRONTEND_IR_MUTANTS_CONSTANTS_H
#define LP_FRONTEND_IR_MUTANTS_CONSTANTS_H

#include "frontend/ir/ir.h"

/* Is the instruction a comparison by <, <=, > or >=? */
bool lp_ir_has_boundary(lp_ir_value instruction);
/* Inserts, at the builder's position, a copy of the comparison in which < and <= are exchanged, or > and >=. */
lp_ir_value lp_ir_other_boundary(struct lp_ir *, lp_ir_value comparison);

/* Does the instruction use an integer constant in one of these ways?  It adds or subtracts the constant; it stores the
 * constant, but not to a variable of the function; it is a read-modify-write whose operand is the constant; or it is a compare-exchange
 * that writes the constant.  Sets `*operand` to the index of the operand that is the constant. */
bool lp_ir_added_constant(lp_ir_value instruction, unsigned *operand);

/* Does the instruction return a constant from its function? */
bool lp_ir_is_constant_result(lp_ir_value instruction);

/* Returns the constant minus one; if the constant is 0 or negative, plus one; if it is a truth value, its negation. */
lp_ir_value lp_ir_changed(lp_ir_value constant);
/* Writes the change as text: "1 -> 0". */
void lp_ir_say_change(lp_ir_value constant, char *out, size_t size);

#endif
