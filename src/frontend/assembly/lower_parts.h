/* lower_parts.h -- a call of inline assembly while it is lowered (lower_assembly.h).
 *
 * Registers of the assembly are integers here, as narrow as they come: what a register has
 * beyond is zero, or unknown.  Each step of its description
 * (frontend/assembly/assembly.h) becomes one to ten instructions, which stand where the call was and have
 * its source line.  If it jumps, they are in blocks between what is before the call and what is after it.
 */
#ifndef LP_FRONTEND_ASSEMBLY_LOWER_PARTS_H
#define LP_FRONTEND_ASSEMBLY_LOWER_PARTS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "frontend/assembly/assembly.h"

/* What a step computed, for the flags. */
struct lp_lowered {
	LLVMValueRef left, right, result; /* of an operation; integers of its size */
	LLVMValueRef mask;                /* of a bit */
	LLVMValueRef wrote;               /* CAS */
};

struct lp_lowering {
	LLVMContextRef context;
	LLVMBuilderRef builder;
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	LLVMTypeRef i64;
	LLVMValueRef call, assembly;
	/* By operand: the argument, or NULL; its type, or that of the result, or of what it
	 * points to; the index of the result, or -1. */
	uint32_t count;
	LLVMValueRef args[LP_ASM_OPERANDS];
	LLVMTypeRef types[LP_ASM_OPERANDS];
	int results[LP_ASM_OPERANDS];
	uint8_t sizes[LP_ASM_OPERANDS];
	int result_count;
	struct lp_asm what;
	LLVMValueRef inputs[LP_ASM_REGISTERS]; /* what a register has been since the beginning, or NULL */
	LLVMValueRef regs[LP_ASM_REGISTERS];   /* as integers, or NULL: not needed yet */
	struct lp_lowered outcomes[LP_ASM_STEPS];
	/* With jumps: registers are variables, and the call is where the blocks of the steps end. */
	bool jumps;
	LLVMValueRef variables[LP_ASM_REGISTERS];
	LLVMBasicBlockRef labels[LP_ASM_LABELS];
};

/* The integer type of so many bytes. */
LLVMTypeRef lp_lower_integer(const struct lp_lowering *, unsigned size);

/* In bytes, 255 at most. */
uint8_t lp_lower_size(const struct lp_lowering *, LLVMTypeRef);
LLVMValueRef lp_lower_register(struct lp_lowering *, uint8_t reg);
/* Truncated, or extended by zeros. */
LLVMValueRef lp_lower_resize(const struct lp_lowering *, LLVMValueRef, unsigned size);

void lp_lower_step(struct lp_lowering *, uint32_t step);
/* Of a step before; an integer of one bit. */
LLVMValueRef lp_lower_flag(struct lp_lowering *, const struct lp_asm_step *);

/* ---- lower_jumps.c ---- */

/* Before and after the steps; between the two, they are built into blocks of their own. */
void lp_lower_begin_jumps(struct lp_lowering *);
void lp_lower_end_jumps(struct lp_lowering *);
void lp_lower_place(struct lp_lowering *, const struct lp_asm_step *);
void lp_lower_jump(struct lp_lowering *, const struct lp_asm_step *);
/* The variable of a register. */
LLVMValueRef lp_lower_variable(struct lp_lowering *, uint8_t reg);

#endif
