/* condition.h -- the conditions of the source, which are branches, selects and comparisons in the IR. */
#ifndef LP_FRONTEND_IR_MUTANTS_CONDITION_H
#define LP_FRONTEND_IR_MUTANTS_CONDITION_H

#include "frontend/ir/ir.h"

/* Is the instruction a condition of the source? */
bool lp_ir_is_condition(lp_ir_value instruction);

/* Returns the value of the condition; if the condition is a branch, the value that the branch depends on. */
lp_ir_value lp_ir_condition_value(lp_ir_value condition);

/* Does the condition of the source hold if lp_ir_condition_value() is true?  Returns false if clang has inverted the condition, as
 * for `if (!x)`. */
bool lp_ir_holds_if_true(lp_ir_value condition);

/* Returns the block that is executed next if the condition holds (`holds`), or if it does not (not `holds`).  Returns NULL if the
 * condition is not a branch. */
LLVMBasicBlockRef lp_ir_goes_to(lp_ir_value condition, bool holds);

/* Makes the condition of the source always hold (`holds`), or never.  Removes what was computed and read only for the condition. */
void lp_ir_decide(struct lp_ir *, lp_ir_value condition, bool holds);

/* Removes those of the values that are no longer used, and what was computed and read only for them. */
void lp_ir_drop_values(struct lp_ir_values *);

#endif
