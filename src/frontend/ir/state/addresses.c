/* addresses.c -- programs that look at addresses in the stack of a thread. */
#include "frontend/ir/state/addresses.h"

#include <string.h>

#include "frontend/ir/state/privacy.h"

/* An intrinsic function that knows the stack, or a register; or a library function that returns an address that each
 * thread has one of. */
static bool asks_for_address(lp_ir_value x)
{
	static const char *const intrinsics[] = { "llvm.frameaddress", "llvm.addressofreturnaddress", "llvm.sponentry",
						  "llvm.localaddress", "llvm.read_register", "llvm.read_volatile_register",
						  "llvm.thread.pointer" };
	static const char *const functions[] = { "lp_shim___errno_location", "lp_shim_pthread_getattr_np" };

	for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
		if (lp_ir_is_intrinsic(x, intrinsics[i]))
			return true;
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (lp_ir_is_call(x) && !strcmp(lp_ir_callee(x), functions[i]))
			return true;
	return false;
}

/* Is a local variable below another object, or above it?  Within one variable that is the same for all threads. */
static bool orders_variables(lp_ir_value x)
{
	if (!LLVMIsAICmpInst(x))
		return false;
	const LLVMIntPredicate how = LLVMGetICmpPredicate(x);
	const lp_ir_value a = LLVMGetOperand(x, 0), b = LLVMGetOperand(x, 1);
	if (how == LLVMIntEQ || how == LLVMIntNE || LLVMGetTypeKind(LLVMTypeOf(a)) != LLVMPointerTypeKind)
		return false;
	const lp_ir_value root = lp_ir_only_root(a);
	return (!root || root != lp_ir_only_root(b)) && (lp_ir_may_be_local(a) || lp_ir_may_be_local(b));
}

/* Does the runtime not learn of the variable, although its address is used for more than accesses? */
static bool is_silent(struct lp_ir *ir, lp_ir_value x, const struct lp_ir_values *private)
{
	return LLVMIsAAllocaInst(x) && lp_ir_is_static(x) && !lp_ir_object_size(ir, x) && !lp_ir_values_have(private, x);
}

static bool looks_at_addresses(struct lp_ir *ir, lp_ir_value f, const struct lp_ir_values *private)
{
	for (unsigned i = 0; i < LLVMCountParams(f); i++)
		if (lp_ir_is_passed_in_memory(f, i) && !lp_ir_values_have(private, LLVMGetParam(f, i)))
			return true;
	LP_IR_EACH_BLOCK(f, b)
		LP_IR_EACH_INSTRUCTION(b, x)
			if (asks_for_address(x) || orders_variables(x) || is_silent(ir, x, private))
				return true;
	return false;
}

void lp_ir_find_addresses(struct lp_ir *ir)
{
	struct lp_ir_values private = { 0 };

	LP_IR_EACH_FUNCTION(ir, f) {
		if (!lp_ir_is_defined(f))
			continue;
		lp_ir_find_private(ir, f, &private);
		if (looks_at_addresses(ir, f, &private))
			ir->tells_threads_apart |= LP_TELLS_ADDRESSES;
	}
	lp_free(private.at);
}
