/* globals.h -- variables of static storage duration, with room between them.
 *
 * An access beyond the end of a variable, or before its beginning, must not hit another variable.  So the
 * bytes after each variable belong to no variable.  The runtime is told where the variables are, and
 * reports an access to the bytes in between as an error.
 */
#ifndef LP_FRONTEND_IR_GLOBALS_H
#define LP_FRONTEND_IR_GLOBALS_H

#include "frontend/ir/ir.h"

/* The least number of bytes between a variable and the next one.  For accesses of up to this size, the runtime checks only the
 * first and the last byte. */
enum { LP_IR_ROOM_BEHIND = 16 };

/* Defines the table of the program's variables and constants (struct lp_variable), whose length becomes `*count`, and makes room
 * between them. */
lp_ir_value lp_ir_define_variables(struct lp_ir *, uint32_t *count);

#endif
