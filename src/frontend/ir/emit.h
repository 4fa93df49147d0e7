/* emit.h -- writes object code. */
#ifndef LP_FRONTEND_IR_EMIT_H
#define LP_FRONTEND_IR_EMIT_H

#include "frontend/ir/ir.h"

/* Optimises according to the level, and writes an object file of position-independent
 * code. */
bool lp_ir_emit(struct lp_ir *, unsigned level, const char *path, struct lp_error *);

#endif
