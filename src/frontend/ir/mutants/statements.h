/* statements.h -- the statements of a basic block, as far as the instructions show them.
 *
 * Before any optimisation, a statement is a sequence of instructions that ends with the effect of the statement: a store, a fence, or a
 * call or read-modify-write whose result is not used.  No statement uses a value that another statement has computed, since
 * statements pass values on in variables.
 */
#ifndef LP_FRONTEND_IR_MUTANTS_STATEMENTS_H
#define LP_FRONTEND_IR_MUTANTS_STATEMENTS_H

#include "frontend/ir/ir.h"

/* Is the instruction the effect of a statement that can be exchanged with the next statement in its block?  Two statements can be
 * exchanged if neither uses variables that the other one writes, both access memory that other threads can see, and one of them does so
 * in a way that orders accesses: atomically, by a fence, or by a call.  Sets `*next` to the effect of the next statement. */
bool lp_ir_can_swap(struct lp_ir *, lp_ir_value effect, lp_ir_value *next);
void lp_ir_swap(struct lp_ir *, lp_ir_value effect);

/* Returns the local variable to which the address belongs.  Returns NULL if there is none; other threads may then see the
 * memory. */
lp_ir_value lp_ir_variable_of(lp_ir_value address);

#endif
