/* objects.h -- local variables that have hooks, as objects that begin and end. */
#ifndef LP_FRONTEND_IR_STATE_OBJECTS_H
#define LP_FRONTEND_IR_STATE_OBJECTS_H

#include "frontend/ir/ir.h"

/* Tells the runtime of them, and drops LLVM's markers of lifetimes, after which no two variables
 * share memory.  Values that LLVM takes for undefined become 0: any would do, but always the same. */
void lp_ir_insert_objects(struct lp_ir *);

#endif
