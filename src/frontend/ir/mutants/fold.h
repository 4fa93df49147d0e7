/* fold.h -- removes switches over constant memory orders. */
#ifndef LP_FRONTEND_IR_MUTANTS_FOLD_H
#define LP_FRONTEND_IR_MUTANTS_FOLD_H

#include "frontend/ir/ir.h"

/* An inlined operation of std::atomic has a switch with a case for each memory order, and its order is a variable that has a
 * constant value.  lp_ir_fold_orders() keeps only the case that is executed, so that the operation is in one basic block again. */
void lp_ir_fold_orders(struct lp_ir *, lp_ir_value function);

#endif
