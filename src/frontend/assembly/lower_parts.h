/* lower_parts.h -- the state of lowering one call of inline assembly (lower_assembly.h).
 *
 * A register of the assembly is represented by an integer that is only as wide as the value that was written last; the other bytes
 * of the register are zero, or unknown.  Each step of the assembly (frontend/assembly/assembly.h) becomes one to ten instructions,
 * which replace the call and have its source line.  If the assembly has jumps, the instructions are in blocks of their own, between
 * the code before the call and the code after it.
 */
#ifndef LP_FRONTEND_ASSEMBLY_LOWER_PARTS_H
#define LP_FRONTEND_ASSEMBLY_LOWER_PARTS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "frontend/assembly/assembly.h"

/* The values that a step has computed.  Flags are derived from them. */
struct lp_lowered {
	LLVMValueRef left, right, result; /* the operands and the result; integers of the operation's
					   * size */
	LLVMValueRef mask;                /* for operations on one bit: a mask with this bit */
	LLVMValueRef wrote;               /* CAS: whether it has written */
};

struct lp_lowering {
	LLVMContextRef context;
	LLVMBuilderRef builder;
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	LLVMTypeRef i64;
	LLVMValueRef call, assembly;
	/* For each operand.  `args`: the argument of the call, or NULL for a direct output.  `types`: the type of the argument or
	 * result; for an indirect operand, the type of what the argument points to.  `results`: the index among the results of the
	 * call, or -1. */
	uint32_t count;
	LLVMValueRef args[LP_ASM_OPERANDS];
	LLVMTypeRef types[LP_ASM_OPERANDS];
	int results[LP_ASM_OPERANDS];
	uint8_t sizes[LP_ASM_OPERANDS];
	int result_count;
	struct lp_asm what;
	LLVMValueRef inputs[LP_ASM_REGISTERS]; /* the initial value of a register, or NULL */
	LLVMValueRef regs[LP_ASM_REGISTERS];   /* the current value of a register as an integer; NULL: it was not needed as an
						* integer so far */
	struct lp_lowered outcomes[LP_ASM_STEPS];
	/* If the assembly has jumps, each register is a variable, and the steps are in blocks of their own, before the block of the
	 * call. */
	bool jumps;
	LLVMValueRef variables[LP_ASM_REGISTERS];
	LLVMBasicBlockRef labels[LP_ASM_LABELS];
};

/* Returns the integer type with that many bytes. */
LLVMTypeRef lp_lower_integer(const struct lp_lowering *, unsigned size);

/* Returns the size in bytes, at most 255. */
uint8_t lp_lower_size(const struct lp_lowering *, LLVMTypeRef);
LLVMValueRef lp_lower_register(struct lp_lowering *, uint8_t reg);
/* Truncates the integer to `size` bytes, or extends it by zeros. */
LLVMValueRef lp_lower_resize(const struct lp_lowering *, LLVMValueRef, unsigned size);

void lp_lower_step(struct lp_lowering *, uint32_t step);
/* Computes a flag of an earlier step, as an integer of one bit. */
LLVMValueRef lp_lower_flag(struct lp_lowering *, const struct lp_asm_step *);

/* ---- lower_jumps.c ---- */

/* To be called before and after the steps.  In between, the steps are built into blocks of their own. */
void lp_lower_begin_jumps(struct lp_lowering *);
void lp_lower_end_jumps(struct lp_lowering *);
void lp_lower_place(struct lp_lowering *, const struct lp_asm_step *);
void lp_lower_jump(struct lp_lowering *, const struct lp_asm_step *);
/* The variable of a register. */
LLVMValueRef lp_lower_variable(struct lp_lowering *, uint8_t reg);

#endif
