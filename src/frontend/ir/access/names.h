/* names.h -- what an access is to, in the words of the source: "head", "q->next", "slot[3].value".
 *
 * From the pointer and the debug information, before any pass of LLVM's has run: there a local variable
 * is an alloca that is declared to be one, a pointer of the source is loaded from where it is kept, and
 * each member or element is an instruction of its own.  What is not of these forms has no name, nor
 * has what only the C++ library knows by name (_M_i).
 */
#ifndef LP_FRONTEND_IR_ACCESS_NAMES_H
#define LP_FRONTEND_IR_ACCESS_NAMES_H

#include "frontend/ir/ir.h"

/* Which local variables there are.  Called once, before hooks are inserted. */
void lp_ir_names_open(struct lp_ir *);
void lp_ir_names_close(struct lp_ir *);

/* Finds the names of what these instructions access, before any of them is replaced by a hook;
 * those of private memory are not needed. */
void lp_ir_names_find(struct lp_ir *, const struct lp_ir_values *, const struct lp_ir_values *private);
/* Fills in the site's texts: those of instruction number i. */
void lp_ir_name_site(struct lp_ir *, uint32_t site, uint32_t i);

#endif
