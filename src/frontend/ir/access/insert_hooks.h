/* insert_hooks.h -- replaces accesses by calls of hooks (frontend/abi.h). */
#ifndef LP_FRONTEND_IR_ACCESS_INSERT_HOOKS_H
#define LP_FRONTEND_IR_ACCESS_INSERT_HOOKS_H

#include "frontend/ir/ir.h"

/* Is this the name of a hook? */
bool lp_ir_is_hook(const char *name);

/* In all functions, replaces every access by a call of a hook, unless the memory is provably private. */
void lp_ir_insert_hooks(struct lp_ir *);

/* To be called after inlining: turns hooks that access only private variables into plain
 * accesses again. */
void lp_ir_privatise(struct lp_ir *);

#endif
