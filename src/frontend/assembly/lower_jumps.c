/* lower_jumps.c -- inline assembly that jumps: blocks, and registers in variables.
 *
 *     block: before, call, after        head: before        labels ...        block: call, after
 *
 * The code before the call moves into a new block.  The code after the call stays in the old block, since phi nodes of later blocks
 * name this block.  The variables of registers become values again when LLVM promotes the function's variables.
 */
#include "frontend/assembly/lower_parts.h"

#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <string.h>

static LLVMBasicBlockRef new_block(const struct lp_lowering *x)
{
	return LLVMInsertBasicBlockInContext(x->context, LLVMGetInstructionParent(x->call), "");
}

/* Jumps to `block` go to `head`.  LLVM would also rename it in the phis of blocks that follow, which it
 * finds by the last instruction. */
static void redirect(const struct lp_lowering *x, LLVMBasicBlockRef block, LLVMBasicBlockRef head)
{
	const LLVMValueRef last = LLVMGetBasicBlockTerminator(block);

	LLVMInstructionRemoveFromParent(last);
	LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(head));
	LLVMPositionBuilderAtEnd(x->builder, block);
	LLVMInsertIntoBuilder(x->builder, last);
}

static void split(const struct lp_lowering *x)
{
	const LLVMBasicBlockRef block = LLVMGetInstructionParent(x->call), head = new_block(x);
	LLVMValueRef i;

	LLVMSetCurrentDebugLocation2(x->builder, NULL); /* instructions keep their own */
	redirect(x, block, head);
	LLVMPositionBuilderAtEnd(x->builder, head);
	while ((i = LLVMGetFirstInstruction(block)) != x->call) {
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(x->builder, i);
	}
	LLVMSetCurrentDebugLocation2(x->builder, LLVMInstructionGetDebugLoc(x->call));
}

LLVMValueRef lp_lower_variable(struct lp_lowering *x, uint8_t reg)
{
	if (x->variables[reg])
		return x->variables[reg];
	const LLVMBasicBlockRef here = LLVMGetInsertBlock(x->builder);
	const LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
	const LLVMBuilderRef builder = LLVMCreateBuilderInContext(x->context);
	LLVMPositionBuilder(builder, entry, LLVMGetFirstInstruction(entry));
	x->variables[reg] = LLVMBuildAlloca(builder, x->i64, "");
	LLVMBuildStore(builder, LLVMConstInt(x->i64, 0, false), x->variables[reg]);
	LLVMDisposeBuilder(builder);
	return x->variables[reg];
}

void lp_lower_begin_jumps(struct lp_lowering *x)
{
	LLVMValueRef values[LP_ASM_REGISTERS];

	memset(x->variables, 0, sizeof x->variables);
	memset(x->labels, 0, sizeof x->labels);
	split(x);
	for (uint8_t r = 0; r < LP_ASM_REGISTERS; r++)
		values[r] = x->inputs[r] ? lp_lower_register(x, r) : NULL;
	x->jumps = true;
	for (uint8_t r = 0; r < LP_ASM_REGISTERS; r++)
		if (values[r])
			LLVMBuildStore(x->builder, lp_lower_resize(x, values[r], 8), lp_lower_variable(x, r));
	memset(x->inputs, 0, sizeof x->inputs);
}

/* From the end of what has been built, if that does not jump away. */
static void go_on(const struct lp_lowering *x, LLVMBasicBlockRef to)
{
	if (!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(x->builder)))
		LLVMBuildBr(x->builder, to);
}

void lp_lower_end_jumps(struct lp_lowering *x)
{
	go_on(x, LLVMGetInstructionParent(x->call));
	LLVMPositionBuilderBefore(x->builder, x->call);
}

static LLVMBasicBlockRef block_of(struct lp_lowering *x, uint8_t label)
{
	if (!x->labels[label])
		x->labels[label] = new_block(x);
	return x->labels[label];
}

void lp_lower_place(struct lp_lowering *x, const struct lp_asm_step *step)
{
	go_on(x, block_of(x, step->label));
	LLVMPositionBuilderAtEnd(x->builder, block_of(x, step->label));
}

void lp_lower_jump(struct lp_lowering *x, const struct lp_asm_step *step)
{
	if (step->from == LP_ASM_NONE) {
		LLVMBuildBr(x->builder, block_of(x, step->label));
		return;
	}
	const LLVMBasicBlockRef next = new_block(x);
	LLVMBuildCondBr(x->builder, lp_lower_flag(x, step), block_of(x, step->label), next);
	LLVMPositionBuilderAtEnd(x->builder, next);
}
