/* inlining.h -- decides which functions become part of their callers.
 *
 * If a small helper function is inlined, it has no frame of its own: its arguments and its result are values of
 * the caller.  A variable whose address the caller passes to the helper can then be private.  So linchpin-fe inlines more functions
 * than compilers do.  Its rules do not depend on LLVM.
 */
#ifndef LP_FRONTEND_IR_INLINING_H
#define LP_FRONTEND_IR_INLINING_H

#include "frontend/ir/ir.h"

/* Marks the functions to be inlined. */
void lp_ir_choose_inlined(struct lp_ir *);

#endif
