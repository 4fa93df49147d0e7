/* fold.c -- switches over memory orders that are constants. */
#include "frontend/ir/mutants/fold.h"

/* The constant that is all that is ever stored in the variable; or NULL. */
static lp_ir_value only_value(lp_ir_value variable)
{
	lp_ir_value value = NULL;

	LP_IR_EACH_USE(variable, u) {
		const lp_ir_value user = LLVMGetUser(u);
		if (LLVMIsALoadInst(user) || lp_ir_is_intrinsic(user, "llvm.lifetime.") || lp_ir_is_intrinsic(user, "llvm.dbg."))
			continue;
		if (value || !LLVMIsAStoreInst(user) || !LLVMIsAConstantInt(LLVMGetOperand(user, 0)))
			return NULL;
		value = LLVMGetOperand(user, 0);
	}
	return value;
}

/* Where it goes, if that is known. */
static LLVMBasicBlockRef known_case(lp_ir_value x)
{
	const lp_ir_value on = LLVMIsASwitchInst(x) ? LLVMGetOperand(x, 0) : NULL;
	const lp_ir_value value = on && LLVMIsALoadInst(on) && LLVMIsAAllocaInst(LLVMGetOperand(on, 0)) ?
					  only_value(LLVMGetOperand(on, 0)) : NULL;

	if (!value)
		return NULL;
	for (int i = 2; i + 1 < LLVMGetNumOperands(x); i += 2)
		if (LLVMGetOperand(x, (unsigned)i) == value)
			return LLVMValueAsBasicBlock(LLVMGetOperand(x, (unsigned)i + 1));
	return LLVMGetSwitchDefaultDest(x);
}

static uint32_t entrances(LLVMBasicBlockRef block)
{
	uint32_t count = 0;

	LP_IR_EACH_USE(LLVMBasicBlockAsValue(block), u)
		count++;
	return count;
}

/* Do no others use its values, nor do values meet behind it? */
static bool is_by_itself(LLVMBasicBlockRef block)
{
	LP_IR_EACH_INSTRUCTION(block, x) {
		LP_IR_EACH_USE(x, u)
			if (LLVMGetInstructionParent(LLVMGetUser(u)) != block)
				return false;
	}
	const lp_ir_value end = LLVMGetBasicBlockTerminator(block);
	for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
		if (LLVMIsAPHINode(LLVMGetFirstInstruction(LLVMGetSuccessor(end, i))))
			return false;
	return true;
}

/* Those that cannot be entered any more. */
static void remove_dead(lp_ir_value f)
{
	for (bool more = true; more;) {
		more = false;
		for (LLVMBasicBlockRef b = LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(f)), next; b; b = next) {
			next = LLVMGetNextBasicBlock(b);
			if (entrances(b) || !is_by_itself(b))
				continue;
			LLVMDeleteBasicBlock(b);
			more = true;
		}
	}
}

/* A block and the one that it goes to, which has no other entrance, become one. */
static void join(struct lp_ir *ir, LLVMBasicBlockRef first, LLVMBasicBlockRef second)
{
	const lp_ir_value where = LLVMGetFirstInstruction(second);

	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(first));
	for (lp_ir_value x = LLVMGetFirstInstruction(first), next; x; x = next) {
		next = LLVMGetNextInstruction(x);
		lp_ir_move_before(ir, x, where);
	}
	LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(first), LLVMBasicBlockAsValue(second));
	LLVMMoveBasicBlockBefore(second, first);
	LLVMDeleteBasicBlock(first);
}

/* From `block` on, as far as there is one way only. */
static void join_from(struct lp_ir *ir, LLVMBasicBlockRef block)
{
	for (;;) {
		const lp_ir_value end = LLVMGetBasicBlockTerminator(block);
		if (!LLVMIsABranchInst(end) || LLVMIsConditional(end))
			return;
		const LLVMBasicBlockRef next = LLVMGetSuccessor(end, 0);
		if (next == block || entrances(next) != 1 || LLVMIsAPHINode(LLVMGetFirstInstruction(next)))
			return;
		join(ir, block, next);
		block = next;
	}
}

void lp_ir_fold_orders(struct lp_ir *ir, lp_ir_value f)
{
	struct lp_ir_values folded = { 0 };

	LP_IR_EACH_BLOCK(f, b) {
		const lp_ir_value end = LLVMGetBasicBlockTerminator(b);
		const LLVMBasicBlockRef to = known_case(end);
		if (!to || LLVMIsAPHINode(LLVMGetFirstInstruction(to)))
			continue;
		lp_ir_before(ir, end);
		LP_PUSH(&folded, LLVMBuildBr(ir->builder, to));
		LLVMInstructionEraseFromParent(end);
	}
	if (folded.count)
		remove_dead(f);
	/* From the last one on: what comes behind a branch may go with it. */
	for (uint32_t i = folded.count; i-- > 0;)
		join_from(ir, LLVMGetInstructionParent(folded.at[i]));
	lp_free(folded.at);
}
