/* prepare.h -- prepares a module before its accesses are replaced by hooks. */
#ifndef LP_FRONTEND_IR_PREPARE_H
#define LP_FRONTEND_IR_PREPARE_H

#include "frontend/ir/ir.h"

/* Functions with this attribute are linchpin's own (include/linchpin/main.c): their plain accesses
 * do not count as accesses of the program. */
#define LP_IR_OWN "linchpin-own"

/* Gives this attribute to all functions of a module.  To be called before the module is linked with the program. */
void lp_ir_mark_own(LLVMModuleRef);
bool lp_ir_is_own(lp_ir_value function);

/* Drops attributes of functions that optimisers rely on, but that programs may violate: that a function has no effects, that it
 * ends, or that its pointer arguments do not alias.  Replaces calls of functions for which the runtime has a shim by calls of the
 * shims. */
void lp_ir_prepare(struct lp_ir *);

/* Replaces thread-local variables of the program by memory that the runtime gives to each
 * thread. */
void lp_ir_move_locals(struct lp_ir *);

#endif
