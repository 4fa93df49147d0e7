/* constants.h -- comparisons and constants that are off by one. */
#ifndef LP_FRONTEND_IR_MUTANTS_CONSTANTS_H
#define LP_FRONTEND_IR_MUTANTS_CONSTANTS_H

#include "frontend/ir/ir.h"

/* Is it a comparison by <, <=, > or >=? */
bool lp_ir_has_boundary(lp_ir_value instruction);
/* Inserts, at the builder's position, the same comparison with < and <=, or > and >=, exchanged. */
lp_ir_value lp_ir_other_boundary(struct lp_ir *, lp_ir_value comparison);

/* Does it add, subtract or store an integer constant, or is a constant the operand of a read-modify-write, or what a
 * compare-exchange writes?  Stores to variables of the function do not count.  `*operand` is the index of the constant. */
bool lp_ir_added_constant(lp_ir_value instruction, unsigned *operand);

/* Does it return a constant from the function? */
bool lp_ir_is_constant_result(lp_ir_value instruction);

/* Returns the constant minus one, or, if it is 0 or negative, plus one; for a truth value, the other one. */
lp_ir_value lp_ir_changed(lp_ir_value constant);
/* Writes the change as text: "1 -> 0". */
void lp_ir_say_change(lp_ir_value constant, char *out, size_t size);

#endif
