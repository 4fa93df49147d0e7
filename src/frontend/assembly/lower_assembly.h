/* lower_assembly.h -- inline assembly becomes LLVM's own atomic instructions.
 *
 * Runs before anything else looks at the module.  Afterwards, inline assembly is one of two things:
 *   - a call of the empty template, without operands, that clobbers "memory": a compiler
 *     barrier.  It does nothing at run time;
 *   - something that is not understood (frontend/assembly/assembly.h), as the source has it.
 */
#ifndef LP_FRONTEND_ASSEMBLY_LOWER_ASSEMBLY_H
#define LP_FRONTEND_ASSEMBLY_LOWER_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

struct LLVMOpaqueModule;
struct LLVMOpaqueValue;

/* In all functions of a module for x86-64 or aarch64; does nothing to others. */
void lp_lower_assembly(struct LLVMOpaqueModule *);

/* Why the call, which is one of inline assembly, was not lowered; "" for a compiler barrier. */
void lp_assembly_trouble(struct LLVMOpaqueValue *call, char *text, size_t size);

/* Marks an access or fence that the source gives as an instruction of the processor's; is it one? */
void lp_lower_mark(struct LLVMOpaqueValue *);
bool lp_lower_is_marked(struct LLVMOpaqueValue *);

#endif
