/* ifuncs.h -- functions that are chosen when the program is loaded.
 *
 * These are functions with __attribute__((ifunc("choose"))), and functions with versions for several processors (target_clones).
 * The dynamic linker would run choose() when the runtime cannot yet serve its hooks.  So the pass replaces the function by a
 * pointer.  A constructor that runs before all others sets the pointer.
 */
#ifndef LP_FRONTEND_IR_IFUNCS_H
#define LP_FRONTEND_IR_IFUNCS_H

#include "frontend/ir/ir.h"

/* To be called before hooks are inserted. */
void lp_ir_replace_ifuncs(struct lp_ir *);

#endif
