/* dynamic_orders.c -- memory orders that are known only when the program runs; see dynamic_orders.h. */
#include "frontend/ir/access/dynamic_orders.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* ---- switches ---- */

/* The block's first atomic instruction that is of the same expression as x; or NULL. */
static lp_ir_value find_atomic(LLVMBasicBlockRef block, lp_ir_value x)
{
	LP_IR_EACH_INSTRUCTION(block, y)
		if (lp_ir_is_atomic(y))
			return LLVMInstructionGetDebugLoc(y) == LLVMInstructionGetDebugLoc(x) ? y : NULL;
	return NULL;
}

/* The cases of a switch, by the orders __ATOMIC_RELAXED (0) to __ATOMIC_SEQ_CST (5). */
struct cases {
	LLVMBasicBlockRef at[6];
};

/* False if there are other values. */
static bool find_cases(lp_ir_value x, struct cases *c)
{
	*c = (struct cases){ { NULL } };
	for (int i = 2; i + 1 < LLVMGetNumOperands(x); i += 2) {
		const uint64_t order = LLVMConstIntGetZExtValue(LLVMGetOperand(x, (unsigned)i));
		if (order >= sizeof c->at / sizeof *c->at)
			return false;
		c->at[order] = LLVMValueAsBasicBlock(LLVMGetOperand(x, (unsigned)i + 1));
	}
	return true;
}

/* What the operation is, if this is a switch that clang made for its order; or NULL. */
static const char *operation_of(lp_ir_value x, struct cases *c)
{
	if (LLVMGetInstructionOpcode(x) != LLVMSwitch || !LLVMInstructionGetDebugLoc(x) || !find_cases(x, c) || !c->at[5])
		return NULL;
	const LLVMBasicBlockRef other = LLVMGetSwitchDefaultDest(x);
	const lp_ir_value relaxed = find_atomic(other, x), sc = find_atomic(c->at[5], x);
	if ((c->at[0] && c->at[0] != other) || !relaxed || !sc || LLVMGetInstructionOpcode(relaxed) != LLVMGetInstructionOpcode(sc))
		return NULL;
	switch (LLVMGetInstructionOpcode(relaxed)) {
	case LLVMLoad:
		return "a load";
	case LLVMStore:
		return "a store";
	case LLVMAtomicRMW:
		return "a read-modify-write";
	default:
		return c->at[3] ? "a compare-exchange" : "a compare-exchange that fails";
	}
}

static void check_order(struct lp_ir *ir, lp_ir_value f, lp_ir_value x, const struct cases *c,
			const char *operation)
{
	const LLVMBasicBlockRef relaxed = LLVMGetSwitchDefaultDest(x);
	const LLVMBasicBlockRef invalid = LLVMAppendBasicBlockInContext(ir->context, f, "");

	LLVMPositionBuilderAtEnd(ir->builder, invalid);
	LLVMSetCurrentDebugLocation2(ir->builder, LLVMInstructionGetDebugLoc(x));
	lp_ir_value arguments[] = { LLVMBuildGlobalStringPtr(ir->builder, operation, "lp.operation"),
				    LLVMGetOperand(x, 0) };
	lp_ir_call(ir, "lp_invalid_order", ir->nothing, arguments, 2);
	LLVMBuildBr(ir->builder, relaxed);
	if (!c->at[0])
		LLVMAddCase(x, LLVMConstInt(LLVMTypeOf(LLVMGetOperand(x, 0)), 0, false), relaxed);
	LLVMSetSuccessor(x, 0, invalid);
}

/* ---- assertions ---- */

/* The text of the operand, a constant array of characters; "" if it is something else. */
static const char *text_of(lp_ir_value operand, size_t *length)
{
	const lp_ir_value text = LLVMIsAGlobalVariable(operand) ? LLVMGetInitializer(operand) : NULL;

	*length = 0;
	return text && LLVMIsAConstantDataSequential(text) ? LLVMGetAsString(text, length) : "";
}

static bool is_about_orders(lp_ir_value x)
{
	size_t length;

	if (!lp_ir_is_call(x) || strcmp(lp_ir_callee(x), "_ZSt21__glibcxx_assert_failPKciS0_S0_"))
		return false;
	const char *condition = text_of(LLVMGetOperand(x, 3), &length);
	return length && (strstr(condition, "memory_order_") || strstr(condition, "valid_cmpexch_failure_order"));
}

/* Branches to the block go to their other target instead. */
static void bypass(struct lp_ir *ir, LLVMBasicBlockRef block)
{
	struct lp_ir_values branches = { 0 };

	LP_IR_EACH_USE(LLVMBasicBlockAsValue(block), u)
		if (LLVMIsABranchInst(LLVMGetUser(u)) && LLVMIsConditional(LLVMGetUser(u)))
			LP_PUSH(&branches, LLVMGetUser(u));
	for (uint32_t i = 0; i < branches.count; i++) {
		const lp_ir_value branch = branches.at[i];
		lp_ir_before(ir, branch);
		LLVMBuildBr(ir->builder, LLVMGetSuccessor(branch, LLVMGetSuccessor(branch, 0) == block));
		LLVMInstructionEraseFromParent(branch);
	}
	lp_free(branches.at);
}

void lp_ir_check_orders(struct lp_ir *ir)
{
	struct lp_ir_values all = { 0 };

	LP_IR_EACH_FUNCTION(ir, f) {
		if (!lp_ir_is_defined(f))
			continue;
		lp_ir_instructions(f, &all);
		for (uint32_t i = 0; i < all.count; i++) {
			struct cases c;
			const char *operation = operation_of(all.at[i], &c);
			if (operation)
				check_order(ir, f, all.at[i], &c, operation);
			else if (is_about_orders(all.at[i]))
				bypass(ir, LLVMGetInstructionParent(all.at[i]));
		}
	}
	lp_free(all.at);
}
