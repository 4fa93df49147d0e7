/* insert_hooks.c -- replaces each access by a call of a hook. */
#include "frontend/ir/access/insert_hooks.h"

#include <stdio.h>
#include <string.h>

#include "base/order.h"
#include "base/rmw.h"
#include "frontend/ir/allocated.h"
#include "frontend/ir/access/call_sites.h"
#include "frontend/ir/access/copies.h"
#include "frontend/ir/state/fixed.h"
#include "frontend/ir/access/names.h"
#include "frontend/ir/prepare.h"
#include "frontend/ir/state/privacy.h"
#include "frontend/ir/access/site_records.h"

/* Those that have a size at their end, and those that have none. */
bool lp_ir_is_hook(const char *name)
{
	static const char *const names[] = {
		"load", "store", "atomic_load", "atomic_store", "rmw", "cas", "fence", "read", "write", "copy",
		"fill", "object_begins", "object_ends", "stack_unwound", "arguments_begin", "private_begins",
		"not_understood", "atomic_begins", "atomic_ends", "foreign_local", "defined",
		"within", "mutant_seen",
	};

	if (strncmp(name, "lp_", 3))
		return false;
	name += 3;
	const size_t length = strcspn(name, "0123456789");
	if (name[length + strspn(name + length, "0123456789")])
		return false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == length && !strncmp(name, names[i], length))
			return true;
	return false;
}

static uint8_t order_of(LLVMAtomicOrdering order)
{
	switch (order) {
	case LLVMAtomicOrderingAcquire:
		return LP_ACQ;
	case LLVMAtomicOrderingRelease:
		return LP_REL;
	case LLVMAtomicOrderingAcquireRelease:
		return LP_ACQREL;
	case LLVMAtomicOrderingSequentiallyConsistent:
		return LP_SC;
	case LLVMAtomicOrderingNotAtomic:
		return LP_PLAIN;
	default:
		return LP_RLX;
	}
}

/* Can the value be passed as an integer? */
static bool is_scalar(const struct lp_ir *ir, LLVMTypeRef type)
{
	const uint64_t size = lp_ir_size(ir, type);

	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
	case LLVMPointerTypeKind:
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
		return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
	default:
		return false;
	}
}

static bool has_metadata(lp_ir_value x, const char *kind)
{
	return LLVMGetMetadata(x, LLVMGetMDKindIDInContext(LLVMGetModuleContext(LLVMGetGlobalParent(
					  LLVMGetBasicBlockParent(LLVMGetInstructionParent(x)))),
							   kind, (unsigned)strlen(kind)));
}

/* Loads of the compiler's own, of a structure that is passed in registers, have no type; they may
 * read bytes that were never written. */
static enum lp_site_kind load_kind(lp_ir_value x)
{
	return LLVMGetVolatile(x) || has_metadata(x, "tbaa") ? LP_SITE_LOAD : LP_SITE_COPY;
}

static lp_ir_value site_of_access(struct lp_ir *ir, enum lp_site_kind kind, lp_ir_value x, uint64_t size,
				  uint8_t order)
{
	const uint32_t site = lp_ir_site(ir, kind, x);
	struct lp_site *record = lp_ir_site_record(ir, site);

	record->size = (uint8_t)(size <= 16 ? size : 0);
	record->order = order;
	if (LLVMGetVolatile(x))
		record->flags |= LP_SITE_VOLATILE;
	if (kind == LP_SITE_LOAD && lp_ir_is_constant(LLVMGetOperand(x, 0)))
		record->flags |= LP_SITE_PRIVATE;
	return lp_ir_site_address(ir, site);
}

static void name_of(char name[static 32], const char *hook, uint64_t size)
{
	snprintf(name, 32, "lp_%s%u", hook, (unsigned)size);
}

static LLVMTypeRef integer(struct lp_ir *ir, uint64_t size)
{
	return LLVMIntTypeInContext(ir->context, (unsigned)size * 8);
}

/* ---- loads and stores ---- */

static void hook_load(struct lp_ir *ir, lp_ir_value f, lp_ir_value x)
{
	const LLVMTypeRef type = LLVMTypeOf(x);
	const uint8_t order = order_of(LLVMGetOrdering(x));
	const uint64_t size = lp_ir_size(ir, type);
	const lp_ir_value p = LLVMGetOperand(x, 0);
	char name[32];

	if (is_scalar(ir, type)) {
		lp_ir_value arguments[] = {
			site_of_access(ir, order ? LP_SITE_ATOMIC_LOAD : load_kind(x), x, size, order), p };
		name_of(name, order ? "atomic_load" : "load", size);
		const lp_ir_value v = lp_ir_call(ir, name, integer(ir, size), arguments, 2);
		lp_ir_replace(x, lp_ir_from_integer(ir, v, type));
		return;
	}
	const lp_ir_value room = lp_ir_variable(ir, f, type, "lp.room");
	lp_ir_value arguments[] = { site_of_access(ir, load_kind(x), x, size, order), room, p,
				    lp_ir_number(ir, size) };
	lp_ir_call(ir, "lp_read", ir->nothing, arguments, 4);
	lp_ir_replace(x, LLVMBuildLoad2(ir->builder, type, room, ""));
}

static void hook_store(struct lp_ir *ir, lp_ir_value f, lp_ir_value x)
{
	const lp_ir_value v = LLVMGetOperand(x, 0), p = LLVMGetOperand(x, 1);
	const LLVMTypeRef type = LLVMTypeOf(v);
	const uint8_t order = order_of(LLVMGetOrdering(x));
	const uint64_t size = lp_ir_size(ir, type);
	const lp_ir_value site = site_of_access(ir, order ? LP_SITE_ATOMIC_STORE : LP_SITE_STORE, x, size, order);
	char name[32];

	if (is_scalar(ir, type)) {
		lp_ir_value arguments[] = { site, p, lp_ir_to_integer(ir, v, size) };
		name_of(name, order ? "atomic_store" : "store", size);
		lp_ir_call(ir, name, ir->nothing, arguments, 3);
	} else {
		const lp_ir_value room = lp_ir_variable(ir, f, type, "lp.room");
		lp_ir_value arguments[] = { site, p, room, lp_ir_number(ir, size) };
		LLVMBuildStore(ir->builder, v, room);
		lp_ir_call(ir, "lp_write", ir->nothing, arguments, 4);
	}
	lp_ir_replace(x, NULL);
}

/* ---- read-modify-writes ---- */

static bool rmw_of(LLVMAtomicRMWBinOp op, uint8_t *rmw)
{
	static const struct {
		LLVMAtomicRMWBinOp llvm;
		enum lp_rmw ours;
	} known[] = {
		{ LLVMAtomicRMWBinOpXchg, LP_XCHG }, { LLVMAtomicRMWBinOpAdd, LP_ADD },
		{ LLVMAtomicRMWBinOpSub, LP_SUB },   { LLVMAtomicRMWBinOpAnd, LP_AND },
		{ LLVMAtomicRMWBinOpOr, LP_OR },     { LLVMAtomicRMWBinOpXor, LP_XOR },
		{ LLVMAtomicRMWBinOpNand, LP_NAND }, { LLVMAtomicRMWBinOpMax, LP_MAX },
		{ LLVMAtomicRMWBinOpMin, LP_MIN },   { LLVMAtomicRMWBinOpUMax, LP_UMAX },
		{ LLVMAtomicRMWBinOpUMin, LP_UMIN }, { LLVMAtomicRMWBinOpFAdd, LP_FADD },
		{ LLVMAtomicRMWBinOpFSub, LP_FSUB }, { LLVMAtomicRMWBinOpFMax, LP_FMAX },
		{ LLVMAtomicRMWBinOpFMin, LP_FMIN },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].llvm == op) {
			*rmw = (uint8_t)known[i].ours;
			return true;
		}
	return false;
}

/* Floating-point ones of 2 or 10 bytes, and what processors have besides. */
static bool is_understood(const struct lp_ir *ir, lp_ir_value x, uint8_t *rmw)
{
	const LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(x));

	return rmw_of(LLVMGetAtomicRMWBinOp(x), rmw) && is_scalar(ir, LLVMTypeOf(x)) &&
	       (*rmw < LP_FADD || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind);
}

static void hook_rmw(struct lp_ir *ir, lp_ir_value x)
{
	const LLVMTypeRef type = LLVMTypeOf(x);
	const uint64_t size = lp_ir_size(ir, type);
	uint8_t rmw;
	char name[32];

	if (!is_understood(ir, x, &rmw)) {
		lp_ir_not_understood(ir, x, LP_SITE_ASSEMBLY, "an atomic operation of the processor's own");
		return;
	}
	const uint32_t site = lp_ir_site(ir, LP_SITE_RMW, x);
	struct lp_site *record = lp_ir_site_record(ir, site);
	record->size = (uint8_t)size;
	record->order = order_of(LLVMGetOrdering(x));
	record->rmw = rmw;
	lp_ir_value arguments[] = { lp_ir_site_address(ir, site), LLVMGetOperand(x, 0),
				    lp_ir_to_integer(ir, LLVMGetOperand(x, 1), size) };
	name_of(name, "rmw", size);
	lp_ir_replace(x, lp_ir_from_integer(ir, lp_ir_call(ir, name, integer(ir, size), arguments, 3), type));
}

/* Uses of a compare-exchange are nearly always of its two parts. */
static void replace_parts(struct lp_ir *ir, lp_ir_value x, lp_ir_value old, lp_ir_value wrote)
{
	struct lp_ir_values parts = { 0 };

	LP_IR_EACH_USE(x, u)
		if (LLVMIsAExtractValueInst(LLVMGetUser(u)))
			LP_PUSH(&parts, LLVMGetUser(u));
	for (uint32_t i = 0; i < parts.count; i++)
		lp_ir_replace(parts.at[i], LLVMGetIndices(parts.at[i])[0] ? wrote : old);
	lp_free(parts.at);
	if (LLVMGetFirstUse(x)) {
		lp_ir_value whole = LLVMGetUndef(LLVMTypeOf(x));
		whole = LLVMBuildInsertValue(ir->builder, whole, old, 0, "");
		whole = LLVMBuildInsertValue(ir->builder, whole, wrote, 1, "");
		LLVMReplaceAllUsesWith(x, whole);
	}
	LLVMInstructionEraseFromParent(x);
}

static LLVMTypeRef found_type(struct lp_ir *ir)
{
	LLVMTypeRef parts[] = { ir->i64, ir->i64 };

	return LLVMStructTypeInContext(ir->context, parts, 2, false);
}

/* An _Atomic structure of, say, 12 bytes is padded to 16.  clang then copies the expected value into a variable
 * { struct, [4 x i8] } of its own, whose padding has any value, and where what a compare-exchange that fails
 * has found remains: the program's variable keeps the old value. */
static bool loses_what_it_finds(lp_ir_value cas)
{
	const lp_ir_value expected = LLVMGetOperand(cas, 1);
	const lp_ir_value from = LLVMIsALoadInst(expected) ? LLVMGetOperand(expected, 0) : NULL;

	if (!from || !LLVMIsAAllocaInst(from))
		return false;
	const LLVMTypeRef type = LLVMGetAllocatedType(from);
	if (LLVMGetTypeKind(type) != LLVMStructTypeKind || !LLVMIsLiteralStruct(type) ||
	    LLVMCountStructElementTypes(type) != 2)
		return false;
	const LLVMTypeRef padding = LLVMStructGetTypeAtIndex(type, 1);
	return LLVMGetTypeKind(padding) == LLVMArrayTypeKind &&
	       LLVMGetTypeKind(LLVMGetElementType(padding)) == LLVMIntegerTypeKind &&
	       LLVMGetIntTypeWidth(LLVMGetElementType(padding)) == 8;
}

static void hook_cas(struct lp_ir *ir, lp_ir_value f, lp_ir_value x)
{
	const LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(x, 1));
	const uint64_t size = lp_ir_size(ir, type), passed = size == 16 ? 16 : 8;
	const uint32_t site = lp_ir_site(ir, LP_SITE_CAS, x);
	struct lp_site *record = lp_ir_site_record(ir, site);
	lp_ir_value old, wrote;

	if (loses_what_it_finds(x)) {
		lp_ir_not_understood(ir, x, LP_SITE_ASSEMBLY, "a compare-exchange of a padded _Atomic structure");
		record = lp_ir_site_record(ir, site);
	}
	record->size = (uint8_t)size;
	record->order = order_of(LLVMGetCmpXchgSuccessOrdering(x));
	record->fail_order = order_of(LLVMGetCmpXchgFailureOrdering(x));
	record->flags |= LLVMGetWeak(x) ? LP_SITE_WEAK : 0;
	const lp_ir_value p = LLVMGetOperand(x, 0), at = lp_ir_site_address(ir, site);
	lp_ir_value expected = lp_ir_to_integer(ir, lp_ir_to_integer(ir, LLVMGetOperand(x, 1), size), passed);
	lp_ir_value wanted = lp_ir_to_integer(ir, lp_ir_to_integer(ir, LLVMGetOperand(x, 2), size), passed);
	if (size == 16) {
		const lp_ir_value room = lp_ir_variable(ir, f, ir->i128, "lp.room");
		lp_ir_value arguments[] = { at, p, room, wanted };
		LLVMBuildStore(ir->builder, expected, room);
		wrote = lp_ir_call(ir, "lp_cas16", ir->i1, arguments, 4);
		old = LLVMBuildLoad2(ir->builder, ir->i128, room, "");
	} else {
		lp_ir_value arguments[] = { at, p, expected, wanted };
		const lp_ir_value found = lp_ir_call(ir, "lp_cas", found_type(ir), arguments, 4);
		old = LLVMBuildExtractValue(ir->builder, found, 0, "");
		old = LLVMBuildTrunc(ir->builder, old, integer(ir, size), "");
		wrote = LLVMBuildTrunc(ir->builder, LLVMBuildExtractValue(ir->builder, found, 1, ""), ir->i1, "");
	}
	replace_parts(ir, x, lp_ir_from_integer(ir, old, type), wrote);
}

static void hook_fence(struct lp_ir *ir, lp_ir_value x)
{
	if (!LLVMIsAtomicSingleThread(x)) { /* else it orders accesses of signal handlers, which are not modelled */
		lp_ir_value site = site_of_access(ir, LP_SITE_FENCE, x, 0, order_of(LLVMGetOrdering(x)));
		lp_ir_call(ir, "lp_fence", ir->nothing, &site, 1);
	}
	lp_ir_replace(x, NULL);
}

/* ---- the whole ---- */

/* Of a constant; else its bounds have to be checked. */
static bool is_at_constant_offset(lp_ir_value p)
{
	while (LLVMIsAGetElementPtrInst(p)) {
		for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(p); i++)
			if (!LLVMIsAConstantInt(LLVMGetOperand(p, i)))
				return false;
		p = LLVMGetOperand(p, 0);
	}
	return LLVMIsAConstant(p);
}

static void hook_access(struct lp_ir *ir, lp_ir_value f, lp_ir_value x, const struct lp_ir_values *private)
{
	const LLVMOpcode op = LLVMGetInstructionOpcode(x);
	const lp_ir_value p = LLVMGetOperand(x, op == LLVMStore ? 1 : 0);
	const bool plain = (op == LLVMLoad || op == LLVMStore) &&
			   LLVMGetOrdering(x) == LLVMAtomicOrderingNotAtomic;

	if (lp_ir_points_to(p, private) || (plain && lp_ir_is_own(f)) ||
	    (op == LLVMLoad && plain && lp_ir_is_constant(p) && is_at_constant_offset(p)))
		return;
	lp_ir_before(ir, x);
	if (op == LLVMLoad)
		hook_load(ir, f, x);
	else if (op == LLVMStore)
		hook_store(ir, f, x);
	else if (op == LLVMAtomicRMW)
		hook_rmw(ir, x);
	else
		hook_cas(ir, f, x);
}

static void hook_instruction(struct lp_ir *ir, lp_ir_value f, lp_ir_value x,
			     const struct lp_ir_values *private)
{
	switch (LLVMGetInstructionOpcode(x)) {
	case LLVMLoad:
	case LLVMStore:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		hook_access(ir, f, x, private);
		break;
	case LLVMFence:
		lp_ir_before(ir, x);
		hook_fence(ir, x);
		break;
	case LLVMCallBr: /* asm goto */
		lp_ir_before(ir, x);
		lp_ir_hook_unknown(ir, x);
		break;
	case LLVMCall:
	case LLVMInvoke:
		lp_ir_before(ir, x);
		lp_ir_hook_unknown(ir, x);
		lp_ir_hook_copies(ir, f, x, private);
		break;
	default:
		break;
	}
}

void lp_ir_insert_hooks(struct lp_ir *ir)
{
	struct lp_ir_values all = { 0 }, private = { 0 };

	lp_ir_names_open(ir);
	LP_IR_EACH_FUNCTION(ir, f) {
		if (!lp_ir_is_defined(f))
			continue;
		lp_ir_find_private(ir, f, &private);
		lp_ir_keep_fixed(ir, f, &private);
		lp_ir_instructions(f, &all);
		lp_ir_names_find(ir, &all, &private);
		for (uint32_t i = 0; i < all.count; i++)
			lp_ir_allocated_note(ir, all.at[i]);
		for (uint32_t i = 0; i < all.count; i++) {
			const uint32_t first = lp_ir_site_count(ir);
			hook_instruction(ir, f, all.at[i], &private);
			for (uint32_t site = first; site < lp_ir_site_count(ir); site++)
				lp_ir_name_site(ir, site, i);
		}
	}
	lp_ir_names_close(ir);
	lp_free(all.at);
	lp_free(private.at);
}
