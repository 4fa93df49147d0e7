/* privacy.c -- a flow-insensitive walk along the uses of an address. */
#include "frontend/ir/state/privacy.h"

#include <string.h>

#include "frontend/ir/access/insert_hooks.h"

bool lp_ir_hook_accesses(const char *hook, unsigned argument)
{
	static const struct {
		const char *name;
		unsigned arguments; /* bits */
	} hooks[] = {
		{ "lp_load", 2 }, { "lp_store", 2 }, { "lp_atomic_load", 2 }, { "lp_atomic_store", 2 },
		{ "lp_rmw", 2 }, { "lp_cas", 2 | 4 }, { "lp_read", 2 | 4 }, { "lp_write", 2 | 4 },
		{ "lp_copy", 2 | 4 }, { "lp_fill", 2 }, { "lp_object_", 2 }, { "lp_private_begins", 1 },
		{ "lp_within", 2 | 8 },
	};

	for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
		if (!strncmp(hook, hooks[i].name, strlen(hooks[i].name)))
			return hooks[i].arguments >> argument & 1;
	return false;
}

/* lp_cas takes what it expects by value, lp_cas16 by address. */
static bool is_accessed_by_hook(lp_ir_value call, unsigned argument)
{
	const char *name = lp_ir_callee(call);

	return lp_ir_is_hook(name) && lp_ir_hook_accesses(name, argument);
}

static bool is_passed_privately(lp_ir_value call, lp_ir_value address)
{
	static const char *const harmless[] = { "llvm.lifetime.", "llvm.dbg.", "llvm.mem", "llvm.va_",
						"llvm.invariant." };

	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (lp_ir_is_intrinsic(call, harmless[i]))
			return true;
	if (LLVMGetCalledValue(call) == address)
		return false;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetOperand(call, i) == address && !is_accessed_by_hook(call, i) &&
		    !lp_ir_argument_attribute(call, i, "byval"))
			return false;
	return true;
}

/* Does the use of the address keep it private?  `*same`: its result is such an address, too. */
static bool keeps_private(lp_ir_value user, lp_ir_value address, bool *same)
{
	*same = false;
	if (!LLVMIsAInstruction(user))
		return false;
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMLoad:
	case LLVMICmp:
		return true;
	case LLVMStore:
		return LLVMGetOperand(user, 0) != address;
	case LLVMAtomicRMW:
		return LLVMGetOperand(user, 1) != address;
	case LLVMAtomicCmpXchg:
		return LLVMGetOperand(user, 1) != address && LLVMGetOperand(user, 2) != address;
	case LLVMSelect:
	case LLVMGetElementPtr:
	case LLVMPHI:
	case LLVMBitCast:
	case LLVMFreeze:
		*same = true;
		return true;
	case LLVMCall:
	case LLVMInvoke:
		return is_passed_privately(user, address);
	default:
		return false;
	}
}

static bool escapes(lp_ir_value variable)
{
	struct lp_ir_values work = { 0 };
	bool escaped = false, same;

	lp_ir_values_add(&work, variable);
	for (uint32_t i = 0; i < work.count && !escaped; i++)
		LP_IR_EACH_USE(work.at[i], u) {
			const lp_ir_value user = LLVMGetUser(u);
			escaped |= !keeps_private(user, work.at[i], &same);
			if (same)
				lp_ir_values_add(&work, user);
		}
	lp_free(work.at);
	return escaped;
}

/* Calls `visit` for what the address may be computed from, down to what is not an address
 * computation; until that says false. */
static bool each_root(lp_ir_value address, bool (*visit)(void *closure, lp_ir_value root), void *closure)
{
	struct lp_ir_values work = { 0 };
	bool go_on = true;

	lp_ir_values_add(&work, address);
	for (uint32_t i = 0; i < work.count && go_on; i++) {
		const lp_ir_value v = work.at[i];
		if (LLVMIsAGetElementPtrInst(v) || LLVMIsABitCastInst(v) || LLVMIsAFreezeInst(v) ||
		    (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr)) {
			lp_ir_values_add(&work, LLVMGetOperand(v, 0));
		} else if (LLVMIsASelectInst(v)) {
			lp_ir_values_add(&work, LLVMGetOperand(v, 1));
			lp_ir_values_add(&work, LLVMGetOperand(v, 2));
		} else if (LLVMIsAPHINode(v)) {
			for (unsigned k = 0; k < LLVMCountIncoming(v); k++)
				lp_ir_values_add(&work, LLVMGetIncomingValue(v, k));
		} else if (!LLVMIsUndef(v) && !LLVMIsPoison(v)) {
			go_on = visit(closure, v);
		}
	}
	lp_free(work.at);
	return go_on;
}

static bool is_among(void *closure, lp_ir_value root)
{
	return lp_ir_values_have(closure, root);
}

bool lp_ir_points_to(lp_ir_value address, const struct lp_ir_values *variables)
{
	return each_root(address, is_among, (void *)variables);
}

static bool take_first(void *closure, lp_ir_value root)
{
	lp_ir_value *first = closure;

	if (*first && *first != root)
		return false;
	*first = root;
	return true;
}

lp_ir_value lp_ir_only_root(lp_ir_value address)
{
	lp_ir_value root = NULL;

	return each_root(address, take_first, &root) ? root : NULL;
}

bool lp_ir_is_passed_in_memory(lp_ir_value f, unsigned parameter)
{
	return LLVMGetEnumAttributeAtIndex(f, parameter + 1, LLVMGetEnumAttributeKindForName("byval", 5));
}

static bool is_elsewhere(void *closure, lp_ir_value root)
{
	(void)closure;
	if (!LLVMIsAArgument(root))
		return !LLVMIsAAllocaInst(root);
	const lp_ir_value f = LLVMGetParamParent(root);
	for (unsigned i = 0; i < LLVMCountParams(f); i++)
		if (LLVMGetParam(f, i) == root)
			return !lp_ir_is_passed_in_memory(f, i);
	return true;
}

bool lp_ir_may_be_local(lp_ir_value address)
{
	return !each_root(address, is_elsewhere, NULL);
}

static bool is_constant_root(void *closure, lp_ir_value root)
{
	(void)closure;
	return LLVMIsAGlobalVariable(root) && LLVMIsGlobalConstant(root);
}

bool lp_ir_is_constant(lp_ir_value address)
{
	return each_root(address, is_constant_root, NULL);
}

/* ---- all of a function ---- */

static bool remove_root(void *closure, lp_ir_value root)
{
	struct lp_ir_values *set = closure;

	for (uint32_t i = 0; i < set->count; i++)
		if (set->at[i] == root) {
			set->at[i] = set->at[--set->count];
			break;
		}
	return true;
}

/* The addresses that an instruction accesses. */
static unsigned accessed(lp_ir_value x, lp_ir_value addresses[static 4])
{
	unsigned count = 0;

	if (LLVMIsALoadInst(x) || LLVMIsAAtomicRMWInst(x) || LLVMIsAAtomicCmpXchgInst(x))
		addresses[count++] = LLVMGetOperand(x, 0);
	else if (LLVMIsAStoreInst(x))
		addresses[count++] = LLVMGetOperand(x, 1);
	else if (lp_ir_is_intrinsic(x, "llvm.mem"))
		for (unsigned i = 0; i < 2; i++) {
			if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(x, i))) == LLVMPointerTypeKind)
				addresses[count++] = LLVMGetOperand(x, i);
		}
	else if (lp_ir_is_call(x) && lp_ir_is_hook(lp_ir_callee(x)))
		for (unsigned i = 0; i < LLVMGetNumArgOperands(x) && count < 4; i++)
			if (lp_ir_hook_accesses(lp_ir_callee(x), i) &&
			    LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(x, i))) == LLVMPointerTypeKind)
				addresses[count++] = LLVMGetOperand(x, i);
	return count;
}

static bool remove_some(lp_ir_value f, struct lp_ir_values *found)
{
	const uint32_t before = found->count;
	lp_ir_value addresses[4];

	LP_IR_EACH_BLOCK(f, b)
		LP_IR_EACH_INSTRUCTION(b, x)
			for (unsigned n = accessed(x, addresses); n-- > 0;)
				if (!lp_ir_points_to(addresses[n], found))
					each_root(addresses[n], remove_root, found);
	return found->count < before;
}

void lp_ir_remove_mixed(lp_ir_value f, struct lp_ir_values *found)
{
	while (found->count && remove_some(f, found))
		;
}

void lp_ir_find_private(struct lp_ir *ir, lp_ir_value f, struct lp_ir_values *found)
{
	(void)ir;
	found->count = 0;
	for (unsigned i = 0; i < LLVMCountParams(f); i++)
		if (lp_ir_is_passed_in_memory(f, i) && !escapes(LLVMGetParam(f, i)))
			LP_PUSH(found, LLVMGetParam(f, i));
	LP_IR_EACH_BLOCK(f, b)
		LP_IR_EACH_INSTRUCTION(b, x)
			if (LLVMIsAAllocaInst(x) && !escapes(x))
				LP_PUSH(found, x);
	lp_ir_remove_mixed(f, found);
}
