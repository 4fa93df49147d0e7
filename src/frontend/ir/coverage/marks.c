/* marks.c -- inserts marks, and later turns them into stores. */
#include "frontend/ir/coverage/marks.h"

#include <string.h>

#include "frontend/ir/coverage/block_flow.h"

static const char intrinsic[] = "llvm.sideeffect", tag[] = "lp.coverage";

void lp_ir_insert_mark(struct lp_ir *ir, lp_ir_value before, uint32_t flag, bool way)
{
	const unsigned id = LLVMLookupIntrinsicID(intrinsic, strlen(intrinsic));
	struct lp_ir_values operands = { 0 };

	LP_PUSH(&operands, lp_ir_number(ir, flag));
	if (way)
		LP_PUSH(&operands, lp_ir_condition(before));
	for (uint32_t i = 1; way && LLVMIsASwitchInst(before) && i < LLVMGetNumSuccessors(before); i++)
		LP_PUSH(&operands, LLVMGetOperand(before, 2 * i));
	LLVMOperandBundleRef bundle = LLVMCreateOperandBundle(tag, strlen(tag), operands.at, operands.count);
	lp_ir_before(ir, before);
	LLVMBuildCallWithOperandBundles(ir->builder, LLVMIntrinsicGetType(ir->context, id, NULL, 0),
					LLVMGetIntrinsicDeclaration(ir->module, id, NULL, 0), NULL, 0, &bundle, 1, "");
	LLVMDisposeOperandBundle(bundle);
	lp_free(operands.at);
}

bool lp_ir_is_mark(lp_ir_value x)
{
	return LLVMIsACallInst(x) && LLVMGetNumOperandBundles(x) && lp_ir_is_intrinsic(x, intrinsic);
}

/* The number of the way that control is about to take. */
static lp_ir_value number_of_way(struct lp_ir *ir, LLVMOperandBundleRef bundle)
{
	const unsigned count = LLVMGetNumOperandBundleArgs(bundle);
	const lp_ir_value condition = LLVMGetOperandBundleArgAtIndex(bundle, 1);
	lp_ir_value number = lp_ir_number(ir, 0);

	if (count == 2)
		return LLVMBuildZExt(ir->builder, condition, ir->i64, "");
	for (unsigned i = 2; i < count; i++) {
		const lp_ir_value is = LLVMBuildICmp(ir->builder, LLVMIntEQ, condition,
						     LLVMGetOperandBundleArgAtIndex(bundle, i), "");
		number = LLVMBuildSelect(ir->builder, is, lp_ir_number(ir, i - 1), number, "");
	}
	return number;
}

static void lower_mark(struct lp_ir *ir, lp_ir_value x)
{
	LLVMOperandBundleRef bundle = LLVMGetOperandBundleAtIndex(x, 0);
	const uint64_t flag = LLVMConstIntGetZExtValue(LLVMGetOperandBundleArgAtIndex(bundle, 0));
	lp_ir_value at = LLVMConstIntToPtr(lp_ir_number(ir, LP_FLAGS + flag), ir->ptr);

	lp_ir_before(ir, x);
	if (LLVMGetNumOperandBundleArgs(bundle) > 1) {
		lp_ir_value way = number_of_way(ir, bundle);
		at = LLVMBuildGEP2(ir->builder, ir->i8, at, &way, 1, "");
	}
	LLVMBuildStore(ir->builder, LLVMConstInt(ir->i8, 1, false), at);
	LLVMDisposeOperandBundle(bundle);
	LLVMInstructionEraseFromParent(x);
}

void lp_ir_lower_marks(struct lp_ir *ir)
{
	struct lp_ir_values all = { 0 };

	LP_IR_EACH_FUNCTION(ir, f) {
		lp_ir_instructions(f, &all);
		for (uint32_t i = 0; i < all.count; i++)
			if (lp_ir_is_mark(all.at[i]))
				lower_mark(ir, all.at[i]);
	}
	lp_free(all.at);
}
