/* objects.c -- begin and end of local variables.
 *
 * A variable of a block begins and ends where LLVM's markers are; any other with its function.
 */
#include "frontend/ir/objects.h"

#include "frontend/ir/privacy.h"
#include "frontend/ir/sites.h"

static lp_ir_value object_site(struct lp_ir *ir, lp_ir_value x)
{
	return lp_ir_site_address(ir, lp_ir_site(ir, LP_SITE_OBJECT, x));
}

static void begin(struct lp_ir *ir, lp_ir_value before, lp_ir_value object, lp_ir_value size)
{
	lp_ir_before(ir, before);
	lp_ir_value arguments[] = { object_site(ir, before), object, size };
	lp_ir_call(ir, "lp_object_begins", ir->nothing, arguments, 3);
}

static void end(struct lp_ir *ir, lp_ir_value before, lp_ir_value object, lp_ir_value size)
{
	lp_ir_before(ir, before);
	lp_ir_value arguments[] = { object_site(ir, before), object, size };
	lp_ir_call(ir, "lp_object_ends", ir->nothing, arguments, 3);
}

static bool has_markers(lp_ir_value object)
{
	LP_IR_EACH_USE(object, u)
		if (lp_ir_is_intrinsic(LLVMGetUser(u), "llvm.lifetime."))
			return true;
	return false;
}

static bool leaves(lp_ir_value x)
{
	return LLVMIsAReturnInst(x) || LLVMGetInstructionOpcode(x) == LLVMResume;
}

/* With the function. */
static void bracket(struct lp_ir *ir, lp_ir_value f, lp_ir_value object, lp_ir_value size)
{
	begin(ir, lp_ir_entry(f), object, size);
	LP_IR_EACH_BLOCK(f, b) {
		const lp_ir_value x = LLVMGetBasicBlockTerminator(b);
		if (leaves(x))
			end(ir, x, object, size);
	}
}

static void bracket_by_markers(struct lp_ir *ir, lp_ir_value object, lp_ir_value size)
{
	struct lp_ir_values markers = { 0 };

	LP_IR_EACH_USE(object, u)
		if (lp_ir_is_intrinsic(LLVMGetUser(u), "llvm.lifetime."))
			LP_PUSH(&markers, LLVMGetUser(u));
	for (uint32_t i = 0; i < markers.count; i++)
		if (lp_ir_is_intrinsic(markers.at[i], "llvm.lifetime.start"))
			begin(ir, markers.at[i], object, size);
		else
			end(ir, markers.at[i], object, size);
	lp_free(markers.at);
}

/* An array of variable length ends when the stack pointer goes back, at the latest with the
 * function. */
static void begin_array(struct lp_ir *ir, lp_ir_value alloca)
{
	const lp_ir_value next = LLVMGetNextInstruction(alloca);

	lp_ir_before(ir, next);
	const lp_ir_value each = lp_ir_number(ir, LLVMABISizeOfType(ir->layout, LLVMGetAllocatedType(alloca)));
	const lp_ir_value count = lp_ir_to_integer(ir, LLVMGetOperand(alloca, 0), 8);
	begin(ir, next, alloca, LLVMBuildMul(ir->builder, count, each, ""));
}

static void unwind(struct lp_ir *ir, lp_ir_value before, lp_ir_value to)
{
	lp_ir_before(ir, before);
	lp_ir_call(ir, "lp_stack_unwound", ir->nothing, &to, 1);
}

static void insert_object(struct lp_ir *ir, lp_ir_value f, lp_ir_value alloca)
{
	const uint64_t size = lp_ir_object_size(ir, alloca);

	if (!lp_ir_is_static(alloca))
		begin_array(ir, alloca);
	else if (!size)
		return;
	else if (has_markers(alloca))
		bracket_by_markers(ir, alloca, lp_ir_number(ir, size));
	else
		bracket(ir, f, alloca, lp_ir_number(ir, size));
}

static void tidy(struct lp_ir *ir, lp_ir_value x)
{
	if (lp_ir_is_intrinsic(x, "llvm.lifetime.")) {
		LLVMInstructionEraseFromParent(x);
	} else if (lp_ir_is_intrinsic(x, "llvm.stackrestore")) {
		unwind(ir, x, LLVMGetOperand(x, 0));
	} else if (lp_ir_is_intrinsic(x, "llvm.va_start")) {
		lp_ir_value list = LLVMGetOperand(x, 0);
		lp_ir_before(ir, LLVMGetNextInstruction(x));
		lp_ir_call(ir, "lp_arguments_begin", ir->nothing, &list, 1);
	} else if (LLVMIsAPHINode(x) || LLVMIsASelectInst(x)) {
		for (int i = 0; i < LLVMGetNumOperands(x); i++) {
			const lp_ir_value v = LLVMGetOperand(x, (unsigned)i);
			if (LLVMIsUndef(v) || LLVMIsPoison(v))
				LLVMSetOperand(x, (unsigned)i, LLVMConstNull(LLVMTypeOf(v)));
		}
	}
}

static void insert_objects(struct lp_ir *ir, lp_ir_value f)
{
	struct lp_ir_values all = { 0 }, private = { 0 };

	lp_ir_find_private(ir, f, &private);
	lp_ir_instructions(f, &all);
	for (uint32_t i = 0; i < all.count; i++)
		if (LLVMIsAAllocaInst(all.at[i]) && !lp_ir_values_have(&private, all.at[i]))
			insert_object(ir, f, all.at[i]);
	lp_ir_instructions(f, &all);
	for (uint32_t i = 0; i < all.count; i++)
		tidy(ir, all.at[i]);
	lp_free(all.at);
	lp_free(private.at);
}

void lp_ir_insert_objects(struct lp_ir *ir)
{
	LP_IR_EACH_FUNCTION(ir, f)
		if (lp_ir_is_defined(f))
			insert_objects(ir, f);
}
