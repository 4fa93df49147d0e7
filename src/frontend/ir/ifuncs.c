/* ifuncs.c -- turns calls of ifuncs into calls through pointers.  Where the address of an ifunc is taken, it is replaced by the
 * address of a function that calls through the pointer. */
#include "frontend/ir/ifuncs.h"

#include <string.h>

#include "frontend/ir/access/call_sites.h"
#include "frontend/ir/prepare.h"

static lp_ir_value new_function(struct lp_ir *ir, const char *name, LLVMTypeRef type)
{
	const lp_ir_value f = LLVMAddFunction(ir->module, name, type);

	LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMAddAttributeAtIndex(f, LP_IR_OF_FUNCTION,
				LLVMCreateStringAttribute(ir->context, LP_IR_OWN, strlen(LP_IR_OWN), "", 0));
	LLVMPositionBuilderAtEnd(ir->builder, LLVMAppendBasicBlockInContext(ir->context, f, ""));
	LLVMSetCurrentDebugLocation2(ir->builder, NULL);
	return f;
}

static lp_ir_value make_chooser(struct lp_ir *ir, lp_ir_value resolver, lp_ir_value chosen)
{
	const LLVMTypeRef none = LLVMFunctionType(ir->nothing, NULL, 0, false);
	const lp_ir_value f = new_function(ir, "lp.choose", none);

	LLVMBuildStore(ir->builder, LLVMBuildCall2(ir->builder, LLVMFunctionType(ir->ptr, NULL, 0, false), resolver,
						   NULL, 0, ""), chosen);
	LLVMBuildRetVoid(ir->builder);
	return f;
}

static lp_ir_value make_caller(struct lp_ir *ir, LLVMTypeRef type, lp_ir_value chosen)
{
	const lp_ir_value f = new_function(ir, "lp.chosen.call", type);

	lp_ir_pass_on(ir, f, LLVMBuildLoad2(ir->builder, ir->ptr, chosen, ""));
	return f;
}

/* A call keeps its arguments as they are, structures in memory among them. */
static void call_chosen(struct lp_ir *ir, lp_ir_value ifunc, lp_ir_value chosen)
{
	struct lp_ir_values calls = { 0 };

	LP_IR_EACH_USE(ifunc, u) {
		const lp_ir_value user = LLVMGetUser(u);
		if (LLVMIsAInstruction(user) && lp_ir_is_call(user) && LLVMGetCalledValue(user) == ifunc)
			lp_ir_values_add(&calls, user);
	}
	for (uint32_t i = 0; i < calls.count; i++) {
		lp_ir_before(ir, calls.at[i]);
		const lp_ir_value to = LLVMBuildLoad2(ir->builder, ir->ptr, chosen, "");
		LLVMSetOperand(calls.at[i], (unsigned)LLVMGetNumOperands(calls.at[i]) - 1, to);
	}
	lp_free(calls.at);
}

/* The first of all constructors, of those with the lowest priority. */
static void add_constructor(struct lp_ir *ir, lp_ir_value f)
{
	static const char name[] = "llvm.global_ctors";
	const lp_ir_value list = LLVMGetNamedGlobal(ir->module, name);
	const lp_ir_value old = list ? LLVMGetInitializer(list) : NULL;
	lp_ir_value fields[] = { LLVMConstInt(ir->i32, 0, false), f, LLVMConstNull(ir->ptr) };
	const lp_ir_value entry = LLVMConstStructInContext(ir->context, fields, 3, false);
	struct lp_ir_values all = { 0 };

	LP_PUSH(&all, entry);
	for (int i = 0; old && i < LLVMGetNumOperands(old); i++)
		LP_PUSH(&all, LLVMGetOperand(old, (unsigned)i));
	const lp_ir_value array = LLVMConstArray2(LLVMTypeOf(entry), all.at, all.count);
	if (list)
		LLVMDeleteGlobal(list);
	const lp_ir_value made = LLVMAddGlobal(ir->module, LLVMTypeOf(array), name);
	LLVMSetLinkage(made, LLVMAppendingLinkage);
	LLVMSetInitializer(made, array);
	lp_free(all.at);
}

void lp_ir_replace_ifuncs(struct lp_ir *ir)
{
	for (lp_ir_value ifunc; (ifunc = LLVMGetFirstGlobalIFunc(ir->module));) {
		const LLVMTypeRef type = LLVMGlobalGetValueType(ifunc);
		const lp_ir_value chosen = LLVMAddGlobal(ir->module, ir->ptr, "chosen.function");
		LLVMSetInitializer(chosen, LLVMConstNull(ir->ptr));
		LLVMSetLinkage(chosen, LLVMInternalLinkage);
		add_constructor(ir, make_chooser(ir, LLVMGetGlobalIFuncResolver(ifunc), chosen));
		call_chosen(ir, ifunc, chosen);
		LLVMReplaceAllUsesWith(ifunc, make_caller(ir, type, chosen));
		LLVMEraseGlobalIFunc(ifunc);
	}
}
