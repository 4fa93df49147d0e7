/* names.h -- finds names, as in the source, for the memory that is accessed: "head", "q->next", "slot[3].value".
 *
 * Names are derived from the address of the access and the debug information, before any LLVM pass has run.  At that point, a local
 * variable is an alloca that the debug information declares; a pointer variable of the source is loaded before it is used; and a
 * separate instruction computes the address of each member or element.  Accesses of other forms have no name.  Internal members of
 * the C++ library (_M_i) have no name, either.
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
/* Returns the type to which pointers of type `type` point; NULL if it is not a pointer type, or points to void. */
LLVMMetadataRef lp_ir_pointee(const struct lp_ir *, LLVMMetadataRef type);
/* Returns a type in the signature of a function of the source: that of the result if `which` is 0, else that of argument number `which`,
 * from 1.  Returns NULL if that type is not known. */
LLVMMetadataRef lp_ir_signature(const struct lp_ir *, lp_ir_value function, unsigned which);
/* Returns a text that identifies the type in the debug information of the loaded object (frontend/load/variables.h); 0 if there is none.
 * "node@12,16" is the type `node` that is declared in line 12 and has 16 bytes; "long/8" is a scalar of 8 bytes. */
uint32_t lp_ir_type_key(struct lp_ir *, LLVMMetadataRef type);

#endif
