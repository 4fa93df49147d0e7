/* constants.c -- comparisons and constants that are off by one. */
#include "frontend/ir/mutants/constants.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>

#include "frontend/ir/mutants/statements.h"

/* ---- comparisons ---- */

static bool other_of(LLVMIntPredicate p, LLVMIntPredicate *other)
{
	static const LLVMIntPredicate pairs[][2] = {
		{ LLVMIntSLT, LLVMIntSLE }, { LLVMIntSGT, LLVMIntSGE },
		{ LLVMIntULT, LLVMIntULE }, { LLVMIntUGT, LLVMIntUGE },
	};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		for (int k = 0; k < 2; k++)
			if (pairs[i][k] == p) {
				*other = pairs[i][1 - k];
				return true;
			}
	return false;
}

bool lp_ir_has_boundary(lp_ir_value x)
{
	LLVMIntPredicate other;

	return LLVMIsAICmpInst(x) && LLVMGetFirstUse(x) && other_of(LLVMGetICmpPredicate(x), &other);
}

lp_ir_value lp_ir_other_boundary(struct lp_ir *ir, lp_ir_value x)
{
	LLVMIntPredicate other = LLVMGetICmpPredicate(x);

	other_of(other, &other);
	return LLVMBuildICmp(ir->builder, other, LLVMGetOperand(x, 0), LLVMGetOperand(x, 1), "");
}

/* ---- constants ---- */

static bool is_number(lp_ir_value v)
{
	return LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64;
}

/* Is it the compiler's own variable for the operand of an atomic operation? */
static bool is_operand_of_atomic(lp_ir_value store)
{
	const lp_ir_value variable = LLVMGetOperand(store, 1);
	lp_ir_value load = NULL;

	LP_IR_EACH_USE(variable, u) {
		const lp_ir_value user = LLVMGetUser(u);
		if (user == store || lp_ir_is_intrinsic(user, "llvm."))
			continue;
		if (load || !LLVMIsALoadInst(user))
			return false;
		load = user;
	}
	const lp_ir_value use = load && LLVMGetFirstUse(load) ? LLVMGetUser(LLVMGetFirstUse(load)) : NULL;
	return use && lp_ir_is_atomic(use) && LLVMInstructionGetDebugLoc(load) == LLVMInstructionGetDebugLoc(store);
}

bool lp_ir_added_constant(lp_ir_value x, unsigned *operand)
{
	switch (LLVMGetInstructionOpcode(x)) {
	case LLVMAdd:
	case LLVMSub:
		*operand = 1;
		return is_number(LLVMGetOperand(x, 1));
	case LLVMStore:
		*operand = 0;
		return is_number(LLVMGetOperand(x, 0)) &&
		       (!lp_ir_variable_of(LLVMGetOperand(x, 1)) || is_operand_of_atomic(x));
	case LLVMAtomicRMW:
		*operand = 1;
		return is_number(LLVMGetOperand(x, 1));
	case LLVMAtomicCmpXchg:
		*operand = 2;
		return is_number(LLVMGetOperand(x, 2));
	default:
		return false;
	}
}

/* The variable that holds the function's result until it returns. */
static bool is_result_variable(lp_ir_value variable)
{
	bool returned = false;

	LP_IR_EACH_USE(variable, u) {
		const lp_ir_value load = LLVMGetUser(u), use = LLVMGetFirstUse(load) ? LLVMGetUser(LLVMGetFirstUse(load)) : NULL;
		returned |= LLVMIsALoadInst(load) && use && LLVMIsAReturnInst(use);
	}
	return returned;
}

bool lp_ir_is_constant_result(lp_ir_value x)
{
	if (LLVMIsAReturnInst(x))
		return LLVMGetNumOperands(x) == 1 && is_number(LLVMGetOperand(x, 0));
	if (!LLVMIsAStoreInst(x) || !is_number(LLVMGetOperand(x, 0)))
		return false;
	const lp_ir_value variable = lp_ir_variable_of(LLVMGetOperand(x, 1));
	return variable && is_result_variable(variable);
}

lp_ir_value lp_ir_changed(lp_ir_value constant)
{
	const LLVMTypeRef type = LLVMTypeOf(constant);
	const int64_t now = LLVMConstIntGetSExtValue(constant);

	if (LLVMGetIntTypeWidth(type) == 1)
		return LLVMConstInt(type, !now, false);
	return LLVMConstInt(type, (uint64_t)now + (now > 0 ? UINT64_MAX : 1), true);
}

void lp_ir_say_change(lp_ir_value constant, char *out, size_t size)
{
	if (LLVMGetIntTypeWidth(LLVMTypeOf(constant)) == 1)
		snprintf(out, size, "%s", LLVMConstIntGetZExtValue(constant) ? "true -> false" : "false -> true");
	else
		snprintf(out, size, "%" PRId64 " -> %" PRId64, (int64_t)LLVMConstIntGetSExtValue(constant),
			 (int64_t)LLVMConstIntGetSExtValue(lp_ir_changed(constant)));
}
