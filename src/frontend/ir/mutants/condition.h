/* condition.h -- conditions of the source, which are branches, selections and comparisons here. */
#ifndef LP_FRONTEND_IR_MUTANTS_CONDITION_H
#define LP_FRONTEND_IR_MUTANTS_CONDITION_H

#include "frontend/ir/ir.h"

/* Is it one that the source has? */
bool lp_ir_is_condition(lp_ir_value instruction);

/* Its value: of a branch, what it depends on. */
lp_ir_value lp_ir_condition_value(lp_ir_value condition);

/* Does the condition of the source hold if that value is true?  clang turns `if (!x)` round. */
bool lp_ir_holds_if_true(lp_ir_value condition);

/* Where it goes if the condition holds, or does not.  NULL if it is no branch. */
LLVMBasicBlockRef lp_ir_goes_to(lp_ir_value condition, bool holds);

/* From now on it holds, or does not.  What was computed and read for its sake is gone. */
void lp_ir_decide(struct lp_ir *, lp_ir_value condition, bool holds);

/* Removes those that are not used any more, with what was computed and read for their sake. */
void lp_ir_drop_values(struct lp_ir_values *);

#endif
