/* names.h -- finds names, as in the source, for the memory that is accessed: "head", "q->next", "slot[3].value".
 *
 * Names are found from the pointer and the debug information, before any LLVM pass has run.  At that point
 * a local variable is a declared alloca, a pointer of the source is loaded from its variable, and each
 * member or element access is a separate instruction.  Accesses of other forms have no name, and neither
 * have internal members of the C++ library (_M_i).
 */
#ifndef LP_FRONTEND_IR_ACCESS_NAMES_H
#define LP_FRONTEND_IR_ACCESS_NAMES_H

#include "frontend/ir/ir.h"

/* Finds the local variables.  To be called once, before hooks are inserted. */
void lp_ir_names_open(struct lp_ir *);
void lp_ir_names_close(struct lp_ir *);

/* Finds the names of the memory that these instructions access.  To be called before any of them is replaced by a hook.
 * Skips private memory. */
void lp_ir_names_find(struct lp_ir *, const struct lp_ir_values *, const struct lp_ir_values *private);
/* Fills in the texts of the site of instruction number i. */
void lp_ir_name_site(struct lp_ir *, uint32_t site, uint32_t i);

/* Returns the type, in debug information, of the object at that address; NULL if it is not known. */
LLVMMetadataRef lp_ir_type_at(struct lp_ir *, lp_ir_value pointer);
/* The type that a pointer of that type points to; NULL if there is none, or it is void. */
LLVMMetadataRef lp_ir_pointee(const struct lp_ir *, LLVMMetadataRef type);
/* The type that a function of the source returns (0), or of its n-th argument, from 1; or NULL. */
LLVMMetadataRef lp_ir_signature(const struct lp_ir *, lp_ir_value function, unsigned which);
/* Returns a text that identifies the type in the debug information of the loaded object (frontend/load/variables.h):
 * "node@12,16" is declared in line 12 and has 16 bytes; "long/8" is a scalar of 8 bytes.  0: there is none. */
uint32_t lp_ir_type_key(struct lp_ir *, LLVMMetadataRef type);

#endif
