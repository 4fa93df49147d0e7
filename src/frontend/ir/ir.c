/* ir.c -- small questions about values, and small pieces of code. */
#include "frontend/ir/ir.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

void lp_ir_instructions(lp_ir_value function, struct lp_ir_values *all)
{
	all->count = 0;
	LP_IR_EACH_BLOCK(function, b)
		LP_IR_EACH_INSTRUCTION(b, x)
			LP_PUSH(all, x);
}

bool lp_ir_values_have(const struct lp_ir_values *set, lp_ir_value v)
{
	for (uint32_t i = 0; i < set->count; i++)
		if (set->at[i] == v)
			return true;
	return false;
}

bool lp_ir_values_add(struct lp_ir_values *set, lp_ir_value v)
{
	if (lp_ir_values_have(set, v))
		return false;
	LP_PUSH(set, v);
	return true;
}

static void reach_operands(struct lp_ir_values *reached, lp_ir_value v)
{
	for (int i = 0; i < LLVMGetNumOperands(v); i++) {
		const lp_ir_value to = LLVMGetOperand(v, (unsigned)i);
		if (to && (LLVMIsAFunction(to) || LLVMIsAGlobalVariable(to) || LLVMIsAGlobalAlias(to) || LLVMIsAConstantExpr(to) ||
			   LLVMIsAConstantStruct(to) || LLVMIsAConstantArray(to)))
			lp_ir_values_add(reached, to);
	}
}

void lp_ir_values_reach(struct lp_ir_values *reached)
{
	for (uint32_t i = 0; i < reached->count; i++) {
		const lp_ir_value v = reached->at[i];
		if (!LLVMIsAFunction(v)) {
			reach_operands(reached, v);
			continue;
		}
		LP_IR_EACH_BLOCK(v, b)
			LP_IR_EACH_INSTRUCTION(b, x)
				reach_operands(reached, x);
	}
}

const char *lp_ir_name(lp_ir_value v)
{
	size_t length;

	return LLVMGetValueName2(v, &length);
}

const char *lp_ir_callee(lp_ir_value call)
{
	if (!lp_ir_is_call(call))
		return "";
	const lp_ir_value f = LLVMGetCalledValue(call);
	return f && LLVMIsAFunction(f) ? lp_ir_name(f) : "";
}

bool lp_ir_is_intrinsic(lp_ir_value x, const char *prefix)
{
	return !strncmp(lp_ir_callee(x), prefix, strlen(prefix));
}

bool lp_ir_is_atomic(lp_ir_value x)
{
	switch (LLVMGetInstructionOpcode(x)) {
	case LLVMLoad:
	case LLVMStore:
		return LLVMGetOrdering(x) != LLVMAtomicOrderingNotAtomic;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return true;
	default:
		return false;
	}
}

uint64_t lp_ir_size(const struct lp_ir *ir, LLVMTypeRef type)
{
	return LLVMStoreSizeOfType(ir->layout, type);
}

static bool is_roomy(lp_ir_value alloca)
{
	return !strncmp(lp_ir_name(alloca), LP_IR_ROOMY, strlen(LP_IR_ROOMY));
}

uint64_t lp_ir_object_size(const struct lp_ir *ir, lp_ir_value alloca)
{
	if (is_roomy(alloca))
		return LLVMABISizeOfType(ir->layout, LLVMStructGetTypeAtIndex(LLVMGetAllocatedType(alloca), 1));
	const lp_ir_value count = LLVMGetOperand(alloca, 0);

	return LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) *
			LLVMABISizeOfType(ir->layout, LLVMGetAllocatedType(alloca)) : 0;
}

lp_ir_value lp_ir_object_address(struct lp_ir *ir, lp_ir_value alloca)
{
	return is_roomy(alloca) ? LLVMBuildStructGEP2(ir->builder, LLVMGetAllocatedType(alloca), alloca, 1, "") : alloca;
}

bool lp_ir_is_static(lp_ir_value alloca)
{
	const LLVMBasicBlockRef block = LLVMGetInstructionParent(alloca);

	return LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) &&
	       block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
}

LLVMAttributeRef lp_ir_argument_attribute(lp_ir_value call, unsigned argument, const char *name)
{
	const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
	const LLVMAttributeRef here = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
	const lp_ir_value f = LLVMGetCalledValue(call);

	if (here || !f || !LLVMIsAFunction(f))
		return here;
	return LLVMGetEnumAttributeAtIndex(f, argument + 1, kind);
}

void lp_ir_before(struct lp_ir *ir, lp_ir_value x)
{
	LLVMPositionBuilderBefore(ir->builder, x);
	LLVMSetCurrentDebugLocation2(ir->builder, LLVMInstructionGetDebugLoc(x));
}

lp_ir_value lp_ir_entry(lp_ir_value function)
{
	lp_ir_value x = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));

	while (LLVMIsAAllocaInst(x))
		x = LLVMGetNextInstruction(x);
	return x;
}

lp_ir_value lp_ir_variable(struct lp_ir *ir, lp_ir_value function, LLVMTypeRef type, const char *name)
{
	const LLVMBuilderRef builder = LLVMCreateBuilderInContext(ir->context);

	LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
	const lp_ir_value variable = LLVMBuildAlloca(builder, type, name);
	LLVMDisposeBuilder(builder);
	return variable;
}

lp_ir_value lp_ir_number(const struct lp_ir *ir, uint64_t n)
{
	return LLVMConstInt(ir->i64, n, false);
}

/* Narrow integers are passed as the ABI of C has them. */
static void extend(struct lp_ir *ir, lp_ir_value x, bool call, LLVMTypeRef type, LLVMAttributeIndex index)
{
	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) >= 32)
		return;
	const LLVMAttributeRef extended =
		LLVMCreateEnumAttribute(ir->context, LLVMGetEnumAttributeKindForName("zeroext", 7), 0);
	if (call)
		LLVMAddCallSiteAttribute(x, index, extended);
	else
		LLVMAddAttributeAtIndex(x, index, extended);
}

static void extend_all(struct lp_ir *ir, lp_ir_value x, bool call, LLVMTypeRef result, const LLVMTypeRef *types,
		       unsigned count)
{
	extend(ir, x, call, result, LLVMAttributeReturnIndex);
	for (unsigned i = 0; i < count; i++)
		extend(ir, x, call, types[i], i + 1);
}

lp_ir_value lp_ir_call(struct lp_ir *ir, const char *name, LLVMTypeRef result, lp_ir_value *arguments,
		       unsigned count)
{
	LLVMTypeRef types[8];

	for (unsigned i = 0; i < count; i++)
		types[i] = LLVMTypeOf(arguments[i]);
	const LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
	lp_ir_value function = LLVMGetNamedFunction(ir->module, name);
	if (!function) {
		function = LLVMAddFunction(ir->module, name, type);
		extend_all(ir, function, false, result, types, count);
		/* So that inlining does not make invokes of hooks. */
		LLVMAddAttributeAtIndex(function, LP_IR_OF_FUNCTION,
					LLVMCreateEnumAttribute(ir->context, LLVMGetEnumAttributeKindForName("nounwind", 8), 0));
	}
	const lp_ir_value call = LLVMBuildCall2(ir->builder, type, function, arguments, count, "");
	extend_all(ir, call, true, result, types, count);
	return call;
}

lp_ir_value lp_ir_to_integer(struct lp_ir *ir, lp_ir_value v, uint64_t size)
{
	const LLVMTypeRef from = LLVMTypeOf(v), to = LLVMIntTypeInContext(ir->context, (unsigned)size * 8);

	if (from == to)
		return v;
	if (LLVMGetTypeKind(from) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(ir->builder, v, to, "");
	if (LLVMGetTypeKind(from) == LLVMIntegerTypeKind)
		return LLVMBuildZExt(ir->builder, v, to, "");
	return LLVMBuildBitCast(ir->builder, v, to, "");
}

lp_ir_value lp_ir_from_integer(struct lp_ir *ir, lp_ir_value v, LLVMTypeRef to)
{
	if (LLVMTypeOf(v) == to)
		return v;
	if (LLVMGetTypeKind(to) == LLVMPointerTypeKind)
		return LLVMBuildIntToPtr(ir->builder, v, to, "");
	if (LLVMGetTypeKind(to) == LLVMIntegerTypeKind)
		return LLVMBuildTrunc(ir->builder, v, to, "");
	return LLVMBuildBitCast(ir->builder, v, to, "");
}

void lp_ir_move_before(struct lp_ir *ir, lp_ir_value x, lp_ir_value other)
{
	LLVMInstructionRemoveFromParent(x);
	LLVMPositionBuilderBefore(ir->builder, other);
	LLVMSetCurrentDebugLocation2(ir->builder, NULL); /* which is that of `other`: x keeps its own */
	LLVMInsertIntoBuilder(ir->builder, x);
}

void lp_ir_replace(lp_ir_value x, lp_ir_value by)
{
	if (by)
		LLVMReplaceAllUsesWith(x, by);
	LLVMInstructionEraseFromParent(x);
}

bool lp_ir_run_passes(struct lp_ir *ir, const char *passes, struct lp_error *error)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();

	LLVMPassBuilderOptionsSetLoopUnrolling(options, false);
	LLVMPassBuilderOptionsSetLoopVectorization(options, false);
	LLVMPassBuilderOptionsSetSLPVectorization(options, false);
	const LLVMErrorRef failed = LLVMRunPasses(ir->module, passes, NULL, options);
	LLVMDisposePassBuilderOptions(options);
	if (!failed)
		return true;
	char *text = LLVMGetErrorMessage(failed);
	lp_fail(error, "LLVM cannot run '%s': %s", passes, text);
	LLVMDisposeErrorMessage(text);
	return false;
}
