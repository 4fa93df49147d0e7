/* objects.h -- the lifetimes of local variables that have hooks. */
#ifndef LP_FRONTEND_IR_STATE_OBJECTS_H
#define LP_FRONTEND_IR_STATE_OBJECTS_H

#include "frontend/ir/ir.h"

/* Inserts calls that report the lifetimes to the runtime, and removes LLVM's lifetime markers, so that no two
 * variables share memory.  Undefined values of LLVM become 0, so that they are the same in every execution. */
void lp_ir_insert_objects(struct lp_ir *);

#endif
