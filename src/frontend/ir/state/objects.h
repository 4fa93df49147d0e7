/* objects.h -- reports the lifetimes of local variables to the runtime.
 *
 * The lifetime of a private variable (privacy.h) that no hook accesses need not be reported. */
#ifndef LP_FRONTEND_IR_STATE_OBJECTS_H
#define LP_FRONTEND_IR_STATE_OBJECTS_H

#include "frontend/ir/ir.h"

/* Keeps arrays of variable length, and blocks from alloca(), from becoming ordinary variables of the function.  If the size of an array
 * turns out to be a constant, for example after inlining, LLVM would make it such a variable, and the end of its lifetime would
 * be lost.  In two cases nothing is changed, because the ends of the lifetimes do not matter: private arrays, whose addresses are
 * used within their scope only; and functions that are never inlined, such as the function of a thread, if the lifetimes of all
 * their arrays end when the function returns.  To be called before LLVM's passes. */
void lp_ir_keep_arrays(struct lp_ir *);

/* Inserts calls into every function, which tell the runtime when the lifetimes of variables begin and end.  Then removes LLVM's
 * lifetime markers, so that LLVM does not let two variables share memory.  Also replaces undefined and poison operands of phi and
 * select instructions by 0, so that these operands are the same in every execution. */
void lp_ir_insert_objects(struct lp_ir *);

#endif
