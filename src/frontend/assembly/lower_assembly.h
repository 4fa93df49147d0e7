/* lower_assembly.h -- inline assembly becomes LLVM's own atomic instructions.
 *
 * This is the first pass that changes accesses of the module.  After the pass, each call of inline assembly is one of two things:
 *   - a call of the empty template, without operands, that clobbers "memory": a compiler
 *     barrier.  It does nothing at run time;
 *   - assembly that is not understood (frontend/assembly/assembly.h), which is left unchanged.
 */
#ifndef LP_FRONTEND_ASSEMBLY_LOWER_ASSEMBLY_H
#define LP_FRONTEND_ASSEMBLY_LOWER_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

struct LLVMOpaqueModule;
struct LLVMOpaqueValue;

/* Lowers the assembly in all functions of a module for x86-64 or aarch64.  Does nothing for other
 * processors. */
void lp_lower_assembly(struct LLVMOpaqueModule *);

/* Writes the reason why a call of inline assembly was not lowered; "" for a compiler barrier. */
void lp_assembly_trouble(struct LLVMOpaqueValue *call, char *text, size_t size);

/* lp_lower_mark() marks an access or fence that comes from inline assembly.  lp_lower_is_marked() asks for
 * the mark. */
void lp_lower_mark(struct LLVMOpaqueValue *);
bool lp_lower_is_marked(struct LLVMOpaqueValue *);

#endif
