/* written.c -- flags that say which bytes of a variable were written. */
#include "frontend/ir/state/written.h"

#include <string.h>

#include "frontend/ir/access/call_sites.h"
#include "frontend/ir/state/fixed.h"
#include "frontend/ir/access/insert_hooks.h"
#include "frontend/ir/prepare.h"
#include "frontend/ir/state/privacy.h"
#include "frontend/ir/access/site_records.h"

struct tracker {
	struct lp_ir *ir;
	lp_ir_value function;
	struct lp_ir_values addresses, flags; /* an address in a variable, and that of its flags */
};

static bool begins(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

static bool is_hook(lp_ir_value x, const char *prefix)
{
	return lp_ir_is_call(x) && begins(lp_ir_callee(x), prefix) && lp_ir_is_hook(lp_ir_callee(x));
}

/* ---- variables that need none ---- */

static bool has_operand(lp_ir_value x, lp_ir_value v)
{
	for (int i = 0; i < LLVMGetNumOperands(x); i++)
		if (LLVMGetOperand(x, (unsigned)i) == v)
			return true;
	return false;
}

static uint64_t constant(lp_ir_value size)
{
	return LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
}

/* How many bytes at that address the instruction writes, and does nothing else with it. */
static uint64_t bytes_written(const struct lp_ir *ir, lp_ir_value x, lp_ir_value address)
{
	if (LLVMIsAStoreInst(x))
		return LLVMGetOperand(x, 0) != address ? lp_ir_size(ir, LLVMTypeOf(LLVMGetOperand(x, 0))) : 0;
	if (is_hook(x, "lp_store") || is_hook(x, "lp_atomic_store"))
		return LLVMGetOperand(x, 2) != address ? lp_ir_size(ir, LLVMTypeOf(LLVMGetOperand(x, 2))) : 0;
	if (is_hook(x, "lp_fill"))
		return constant(LLVMGetOperand(x, 3));
	if (lp_ir_is_intrinsic(x, "llvm.memset"))
		return constant(LLVMGetOperand(x, 2));
	return 0;
}

/* Is the variable written as a whole by the first instruction that uses it, from x on? */
static bool is_written_from(const struct lp_ir *ir, lp_ir_value x, lp_ir_value variable)
{
	for (; x; x = LLVMGetNextInstruction(x))
		if (has_operand(x, variable))
			return bytes_written(ir, x, variable) >= lp_ir_object_size(ir, variable);
	return false;
}

/* Most variables are: arguments, and those with an initial value. */
static bool is_written_at_once(const struct lp_ir *ir, lp_ir_value f, lp_ir_value variable)
{
	bool marked = false;

	LP_IR_EACH_USE(variable, u) {
		const lp_ir_value x = LLVMGetUser(u);
		if (!lp_ir_is_intrinsic(x, "llvm.lifetime.start"))
			continue;
		if (!is_written_from(ir, LLVMGetNextInstruction(x), variable))
			return false;
		marked = true;
	}
	return marked || is_written_from(ir, lp_ir_entry(f), variable);
}

/* Is it one of several that an address may point to?  Then either all of them have flags or none. */
static bool is_one_of_several(lp_ir_value variable)
{
	struct lp_ir_values work = { 0 };
	bool several = false;

	lp_ir_values_add(&work, variable);
	for (uint32_t i = 0; i < work.count; i++)
		LP_IR_EACH_USE(work.at[i], u) {
			const lp_ir_value user = LLVMGetUser(u);
			several |= LLVMIsASelectInst(user) || LLVMIsAPHINode(user);
			if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) || LLVMIsAFreezeInst(user))
				lp_ir_values_add(&work, user);
		}
	lp_free(work.at);
	return several;
}

/* va_start() writes to it, and the instruction does not say which bytes. */
static bool is_argument_list(lp_ir_value variable)
{
	LP_IR_EACH_USE(variable, u)
		if (lp_ir_is_intrinsic(LLVMGetUser(u), "llvm.va_"))
			return true;
	return false;
}

/* ---- flags ---- */

static lp_ir_value all_bytes(struct lp_ir *ir, lp_ir_value flags, bool written, uint64_t size)
{
	return LLVMBuildMemSet(ir->builder, flags, LLVMConstInt(ir->i8, written ? 0xff : 0, false),
			       lp_ir_number(ir, size), 1);
}

static void add_flags(struct tracker *t, lp_ir_value variable)
{
	struct lp_ir *ir = t->ir;
	const uint64_t size = LLVMIsAAllocaInst(variable) ? lp_ir_object_size(ir, variable) : 0;

	if (!size || is_argument_list(variable) ||
	    (is_written_at_once(ir, t->function, variable) && !is_one_of_several(variable)))
		return;
	const lp_ir_value flags = lp_ir_variable(ir, t->function, LLVMArrayType2(ir->i8, size), "lp.written");
	LLVMSetAlignment(flags, LLVMGetAlignment(variable));
	lp_ir_before(ir, lp_ir_entry(t->function));
	all_bytes(ir, flags, false, size);
	LP_PUSH(&t->addresses, variable);
	LP_PUSH(&t->flags, flags);
}

static lp_ir_value flags_at(struct tracker *t, lp_ir_value address);

static void add_address(struct tracker *t, lp_ir_value address, lp_ir_value flags)
{
	LP_PUSH(&t->addresses, address);
	LP_PUSH(&t->flags, flags);
}

/* The same arithmetic, with the flags instead of the variable. */
static lp_ir_value flags_by_arithmetic(struct tracker *t, lp_ir_value address)
{
	const unsigned first = LLVMIsASelectInst(address) ? 1 : 0, last = LLVMIsASelectInst(address) ? 2 : 0;
	lp_ir_value to[3] = { NULL };

	for (unsigned i = first; i <= last; i++)
		if (!(to[i] = flags_at(t, LLVMGetOperand(address, i))))
			return NULL;
	const lp_ir_value clone = LLVMInstructionClone(address);
	lp_ir_before(t->ir, LLVMGetNextInstruction(address));
	LLVMInsertIntoBuilder(t->ir->builder, clone);
	for (unsigned i = first; i <= last; i++)
		LLVMSetOperand(clone, i, to[i]);
	add_address(t, address, clone);
	return clone;
}

static lp_ir_value flags_by_phi(struct tracker *t, lp_ir_value address)
{
	lp_ir_before(t->ir, address);
	const lp_ir_value phi = LLVMBuildPhi(t->ir->builder, t->ir->ptr, "");
	add_address(t, address, phi);
	for (unsigned i = 0; i < LLVMCountIncoming(address); i++) {
		LLVMBasicBlockRef block = LLVMGetIncomingBlock(address, i);
		lp_ir_value flags = flags_at(t, LLVMGetIncomingValue(address, i));
		LLVMAddIncoming(phi, &flags, &block, 1);
	}
	return phi;
}

/* Does the address point to variables with flags only? */
static bool has_flags(const struct tracker *t, lp_ir_value address)
{
	return lp_ir_points_to(address, &t->addresses);
}

/* The flags of the byte at that address; NULL if there are none. */
static lp_ir_value flags_at(struct tracker *t, lp_ir_value address)
{
	for (uint32_t i = 0; i < t->addresses.count; i++)
		if (t->addresses.at[i] == address)
			return t->flags.at[i];
	if (LLVMIsUndef(address) || LLVMIsPoison(address))
		return LLVMGetUndef(t->ir->ptr);
	if (LLVMIsAPHINode(address))
		return has_flags(t, address) ? flags_by_phi(t, address) : NULL;
	if (LLVMIsASelectInst(address) || LLVMIsAGetElementPtrInst(address) || LLVMIsABitCastInst(address) ||
	    LLVMIsAFreezeInst(address))
		return has_flags(t, address) ? flags_by_arithmetic(t, address) : NULL;
	return NULL;
}

/* ---- accesses ---- */

static void set(struct tracker *t, lp_ir_value x, lp_ir_value address, uint64_t size)
{
	const lp_ir_value flags = flags_at(t, address);

	if (!flags)
		return;
	lp_ir_before(t->ir, x);
	if (size > 16) {
		all_bytes(t->ir, flags, true, size);
		return;
	}
	const lp_ir_value ones = LLVMConstAllOnes(LLVMIntTypeInContext(t->ir->context, (unsigned)size * 8));
	LLVMSetAlignment(LLVMBuildStore(t->ir->builder, ones, flags), 1);
}

static void check(struct tracker *t, lp_ir_value x, lp_ir_value site, lp_ir_value address, uint64_t size)
{
	const lp_ir_value flags = flags_at(t, address);
	const LLVMTypeRef type = LLVMIntTypeInContext(t->ir->context, (unsigned)size * 8);

	if (!flags)
		return;
	lp_ir_before(t->ir, x);
	const lp_ir_value found = LLVMBuildLoad2(t->ir->builder, type, flags, "");
	LLVMSetAlignment(found, 1);
	lp_ir_value arguments[] = { site, LLVMBuildICmp(t->ir->builder, LLVMIntEQ, found, LLVMConstAllOnes(type), "") };
	lp_ir_call(t->ir, "lp_defined", t->ir->nothing, arguments, 2);
}

static void copy(struct tracker *t, lp_ir_value x, lp_ir_value to, lp_ir_value from, uint64_t size)
{
	const lp_ir_value flags = flags_at(t, to), others = flags_at(t, from);

	if (!flags)
		return;
	lp_ir_before(t->ir, x);
	if (others)
		LLVMBuildMemMove(t->ir->builder, flags, 1, others, 1, lp_ir_number(t->ir, size));
	else
		all_bytes(t->ir, flags, true, size);
}

/* x = x */
static bool is_of_same(lp_ir_value value, lp_ir_value address)
{
	return (LLVMIsALoadInst(value) && LLVMGetOperand(value, 0) == address) ||
	       (is_hook(value, "lp_load") && LLVMGetOperand(value, 1) == address);
}

/* Does anything depend on what is read? */
static bool is_used(lp_ir_value load, lp_ir_value address)
{
	LP_IR_EACH_USE(load, u) {
		const lp_ir_value user = LLVMGetUser(u);
		if (!(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == address) &&
		    !(is_hook(user, "lp_store") && LLVMGetOperand(user, 1) == address))
			return true;
	}
	return false;
}

/* Loads of the compiler's own, of a structure or to change a bit-field, have no type (insert_hooks.c). */
static bool has_type(const struct lp_ir *ir, lp_ir_value load)
{
	return LLVMGetVolatile(load) || LLVMGetOrdering(load) != LLVMAtomicOrderingNotAtomic ||
	       LLVMGetMetadata(load, LLVMGetMDKindIDInContext(ir->context, "tbaa", 4));
}

static lp_ir_value site_of(struct lp_ir *ir, lp_ir_value x, uint64_t size)
{
	const uint32_t site = lp_ir_site(ir, LP_SITE_LOAD, x);

	lp_ir_site_record(ir, site)->size = (uint8_t)(size <= 16 ? size : 0);
	return lp_ir_site_address(ir, site);
}

static void track_load(struct tracker *t, lp_ir_value x)
{
	const lp_ir_value address = LLVMGetOperand(x, 0);
	const uint64_t size = lp_ir_size(t->ir, LLVMTypeOf(x));

	if (!lp_ir_is_own(t->function) && has_type(t->ir, x) && is_used(x, address) && flags_at(t, address))
		check(t, x, site_of(t->ir, x, size), address, size);
}

static void track_store(struct tracker *t, lp_ir_value x, lp_ir_value value, lp_ir_value address)
{
	if (!is_of_same(value, address))
		set(t, x, address, lp_ir_size(t->ir, LLVMTypeOf(value)));
}

static void track_hook(struct tracker *t, lp_ir_value x)
{
	const char *name = lp_ir_callee(x);
	uint32_t site;

	if (!lp_ir_hook_accesses(name, 1) || !lp_ir_site_of(t->ir, LLVMGetOperand(x, 0), &site))
		return;
	const struct lp_site record = *lp_ir_site_record(t->ir, site);
	const lp_ir_value at = LLVMGetOperand(x, 0), p = LLVMGetOperand(x, 1);
	if (begins(name, "lp_store") || begins(name, "lp_atomic_store")) {
		track_store(t, x, LLVMGetOperand(x, 2), p);
	} else if (begins(name, "lp_load") || begins(name, "lp_atomic_load")) {
		if (record.kind != LP_SITE_COPY && is_used(x, p))
			check(t, x, at, p, record.size);
	} else if (begins(name, "lp_rmw") || begins(name, "lp_cas")) {
		check(t, x, at, p, record.size);
		if (begins(name, "lp_cas16"))
			set(t, x, LLVMGetOperand(x, 2), 16);
	} else if (begins(name, "lp_fill")) {
		set(t, x, p, constant(LLVMGetOperand(x, 3)));
	} else if (begins(name, "lp_read") || begins(name, "lp_write") || begins(name, "lp_copy")) {
		copy(t, x, p, LLVMGetOperand(x, 2), constant(LLVMGetOperand(x, 3)));
	}
}

static void track_call(struct tracker *t, lp_ir_value x)
{
	if (lp_ir_is_intrinsic(x, "llvm.memset")) {
		set(t, x, LLVMGetOperand(x, 0), constant(LLVMGetOperand(x, 2)));
	} else if (lp_ir_is_intrinsic(x, "llvm.mem")) {
		copy(t, x, LLVMGetOperand(x, 0), LLVMGetOperand(x, 1), constant(LLVMGetOperand(x, 2)));
	} else if (lp_ir_is_intrinsic(x, "llvm.lifetime.start")) {
		const lp_ir_value variable = LLVMGetOperand(x, 1), flags = flags_at(t, variable);
		lp_ir_before(t->ir, x);
		if (flags)
			all_bytes(t->ir, flags, false, lp_ir_object_size(t->ir, variable));
	} else if (lp_ir_is_hook(lp_ir_callee(x))) {
		track_hook(t, x);
	}
}

static void track(struct tracker *t, lp_ir_value x)
{
	switch (LLVMGetInstructionOpcode(x)) {
	case LLVMLoad:
		track_load(t, x);
		break;
	case LLVMStore:
		track_store(t, x, LLVMGetOperand(x, 0), LLVMGetOperand(x, 1));
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg: {
		const uint64_t size = lp_ir_size(t->ir, LLVMTypeOf(LLVMGetOperand(x, 1)));
		if (flags_at(t, LLVMGetOperand(x, 0)))
			check(t, x, site_of(t->ir, x, size), LLVMGetOperand(x, 0), size);
		break;
	}
	case LLVMCall:
	case LLVMInvoke:
		track_call(t, x);
		break;
	default:
		break;
	}
}

/* ---- the whole ---- */

/* What a variable holds after longjmp() depends on when it was written: no flag can say. */
static bool returns_twice(const struct lp_ir_values *all)
{
	for (uint32_t i = 0; i < all->count; i++)
		if (lp_ir_returns_twice(all->at[i]))
			return true;
	return false;
}

void lp_ir_check_written(struct lp_ir *ir, lp_ir_value f, const struct lp_ir_values *variables)
{
	struct tracker t = { .ir = ir, .function = f };
	struct lp_ir_values all = { 0 };

	lp_ir_instructions(f, &all);
	for (uint32_t i = 0; i < variables->count && !returns_twice(&all); i++)
		add_flags(&t, variables->at[i]);
	for (uint32_t i = 0; i < all.count && t.flags.count; i++)
		track(&t, all.at[i]);
	lp_free(all.at);
	lp_free(t.addresses.at);
	lp_free(t.flags.at);
}

void lp_ir_check_all_written(struct lp_ir *ir)
{
	struct lp_ir_values variables = { 0 };

	LP_IR_EACH_FUNCTION(ir, f) {
		if (!lp_ir_is_defined(f))
			continue;
		lp_ir_find_private(ir, f, &variables);
		lp_ir_keep_fixed(ir, f, &variables);
		lp_ir_check_written(ir, f, &variables);
	}
	lp_free(variables.at);
}

static bool holds(lp_ir_value v)
{
	if (LLVMIsAICmpInst(v))
		return LLVMGetICmpPredicate(v) == LLVMIntEQ && LLVMGetOperand(v, 0) == LLVMGetOperand(v, 1);
	return LLVMIsUndef(v) || LLVMIsPoison(v) || (LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v));
}

void lp_ir_drop_checks(struct lp_ir *ir)
{
	const lp_ir_value f = LLVMGetNamedFunction(ir->module, "lp_defined");
	struct lp_ir_values dropped = { 0 };

	if (!f)
		return;
	LP_IR_EACH_USE(f, u) {
		const lp_ir_value call = LLVMGetUser(u);
		if (LLVMIsACallInst(call) && holds(LLVMGetOperand(call, 1)))
			LP_PUSH(&dropped, call);
	}
	for (uint32_t i = 0; i < dropped.count; i++)
		LLVMInstructionEraseFromParent(dropped.at[i]);
	lp_free(dropped.at);
}
