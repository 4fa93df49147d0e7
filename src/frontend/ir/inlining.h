/* inlining.h -- which functions become part of their callers.
 *
 * A helper that a data structure is written with has no state of its own that way: what it is given and what it
 * returns are values of one function, whose variables can be private.  So more is inlined than compilers do, by
 * rules that do not depend on LLVM.
 */
#ifndef LP_FRONTEND_IR_INLINING_H
#define LP_FRONTEND_IR_INLINING_H

#include "frontend/ir/ir.h"

/* Marks the functions that are worth it. */
void lp_ir_choose_inlined(struct lp_ir *);

#endif
