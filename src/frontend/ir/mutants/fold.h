/* fold.h -- switches over memory orders that are constants. */
#ifndef LP_FRONTEND_IR_MUTANTS_FOLD_H
#define LP_FRONTEND_IR_MUTANTS_FOLD_H

#include "frontend/ir/ir.h"

/* An operation of std::atomic that was inlined has a case for each memory order, and its order in a variable that gets a
 * constant: leaves the case that is meant, so that a statement is one piece again. */
void lp_ir_fold_orders(struct lp_ir *, lp_ir_value function);

#endif
