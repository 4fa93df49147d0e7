/* insert_hooks.h -- accesses become calls of hooks (frontend/abi.h). */
#ifndef LP_FRONTEND_IR_ACCESS_INSERT_HOOKS_H
#define LP_FRONTEND_IR_ACCESS_INSERT_HOOKS_H

#include "frontend/ir/ir.h"

/* Is that the name of a hook? */
bool lp_ir_is_hook(const char *name);

/* In all functions: every access to memory that is not provably private. */
void lp_ir_insert_hooks(struct lp_ir *);

/* After inlining: hooks that only access variables which are private by now become plain
 * accesses again. */
void lp_ir_privatise(struct lp_ir *);

#endif
