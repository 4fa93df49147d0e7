/* split_rmw.c -- read-modify-writes that are not atomic.
 *
 * The load gets the part of the memory order that concerns reads, and the store the part that concerns writes, so that the mutant
 * differs in atomicity only.
 */
#include "frontend/ir/mutants/split_rmw.h"

#include <llvm-c/DebugInfo.h>

static LLVMAtomicOrdering of_load(LLVMAtomicOrdering order)
{
	switch (order) {
	case LLVMAtomicOrderingRelease:
		return LLVMAtomicOrderingMonotonic;
	case LLVMAtomicOrderingAcquireRelease:
		return LLVMAtomicOrderingAcquire;
	default:
		return order;
	}
}

static LLVMAtomicOrdering of_store(LLVMAtomicOrdering order)
{
	switch (order) {
	case LLVMAtomicOrderingAcquire:
		return LLVMAtomicOrderingMonotonic;
	case LLVMAtomicOrderingAcquireRelease:
		return LLVMAtomicOrderingRelease;
	default:
		return order;
	}
}

static lp_ir_value build_load(struct lp_ir *ir, LLVMTypeRef type, lp_ir_value p, LLVMAtomicOrdering order)
{
	const lp_ir_value load = LLVMBuildLoad2(ir->builder, type, p, "");

	LLVMSetAlignment(load, (unsigned)lp_ir_size(ir, type));
	LLVMSetOrdering(load, of_load(order));
	return load;
}

static void build_store(struct lp_ir *ir, lp_ir_value v, lp_ir_value p, LLVMAtomicOrdering order)
{
	const lp_ir_value store = LLVMBuildStore(ir->builder, v, p);

	LLVMSetAlignment(store, (unsigned)lp_ir_size(ir, LLVMTypeOf(v)));
	LLVMSetOrdering(store, of_store(order));
}

/* What comes before x in its block gets its own block, to which the builder goes. */
static void split_before(struct lp_ir *ir, lp_ir_value x)
{
	const LLVMBasicBlockRef tail = LLVMGetInstructionParent(x);
	const LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(ir->context, tail, "");

	LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(tail), LLVMBasicBlockAsValue(head));
	LLVMSetCurrentDebugLocation2(ir->builder, NULL);
	LLVMPositionBuilderAtEnd(ir->builder, head);
	for (lp_ir_value y = LLVMGetFirstInstruction(tail), next; y != x; y = next) {
		next = LLVMGetNextInstruction(y);
		LLVMInstructionRemoveFromParent(y);
		LLVMInsertIntoBuilder(ir->builder, y);
	}
	LLVMSetCurrentDebugLocation2(ir->builder, LLVMInstructionGetDebugLoc(x));
}

static void replace_cas(struct lp_ir *ir, lp_ir_value x, lp_ir_value old, lp_ir_value wrote)
{
	lp_ir_value whole = LLVMGetUndef(LLVMTypeOf(x));

	lp_ir_before(ir, x);
	whole = LLVMBuildInsertValue(ir->builder, whole, old, 0, "");
	whole = LLVMBuildInsertValue(ir->builder, whole, wrote, 1, "");
	lp_ir_replace(x, whole);
}

static void split_cas(struct lp_ir *ir, lp_ir_value x)
{
	const lp_ir_value p = LLVMGetOperand(x, 0), expected = LLVMGetOperand(x, 1), wanted = LLVMGetOperand(x, 2);
	const LLVMAtomicOrdering order = LLVMGetCmpXchgSuccessOrdering(x);
	const LLVMBasicBlockRef tail = LLVMGetInstructionParent(x);

	split_before(ir, x);
	const LLVMBasicBlockRef write = LLVMInsertBasicBlockInContext(ir->context, tail, "");
	const lp_ir_value old = build_load(ir, LLVMTypeOf(expected), p, order);
	const lp_ir_value equal = LLVMBuildICmp(ir->builder, LLVMIntEQ, old, expected, "");
	LLVMBuildCondBr(ir->builder, equal, write, tail);
	LLVMPositionBuilderAtEnd(ir->builder, write);
	build_store(ir, wanted, p, order);
	LLVMBuildBr(ir->builder, tail);
	replace_cas(ir, x, old, equal);
}

void lp_ir_store_for_cas(struct lp_ir *ir, lp_ir_value x)
{
	lp_ir_before(ir, x);
	build_store(ir, LLVMGetOperand(x, 2), LLVMGetOperand(x, 0), LLVMGetCmpXchgSuccessOrdering(x));
	replace_cas(ir, x, LLVMGetOperand(x, 1), LLVMConstInt(ir->i1, 1, false));
}

static lp_ir_value choose(struct lp_ir *ir, LLVMIntPredicate p, lp_ir_value a, lp_ir_value b)
{
	return LLVMBuildSelect(ir->builder, LLVMBuildICmp(ir->builder, p, a, b, ""), a, b, "");
}

static bool is_split(LLVMAtomicRMWBinOp op)
{
	return op <= LLVMAtomicRMWBinOpUMin || op == LLVMAtomicRMWBinOpFAdd || op == LLVMAtomicRMWBinOpFSub;
}

/* What is written. */
static lp_ir_value modified(struct lp_ir *ir, LLVMAtomicRMWBinOp op, lp_ir_value old, lp_ir_value v)
{
	switch (op) {
	case LLVMAtomicRMWBinOpXchg:
		return v;
	case LLVMAtomicRMWBinOpAdd:
		return LLVMBuildAdd(ir->builder, old, v, "");
	case LLVMAtomicRMWBinOpSub:
		return LLVMBuildSub(ir->builder, old, v, "");
	case LLVMAtomicRMWBinOpAnd:
		return LLVMBuildAnd(ir->builder, old, v, "");
	case LLVMAtomicRMWBinOpOr:
		return LLVMBuildOr(ir->builder, old, v, "");
	case LLVMAtomicRMWBinOpXor:
		return LLVMBuildXor(ir->builder, old, v, "");
	case LLVMAtomicRMWBinOpNand:
		return LLVMBuildNot(ir->builder, LLVMBuildAnd(ir->builder, old, v, ""), "");
	case LLVMAtomicRMWBinOpMax:
		return choose(ir, LLVMIntSGT, old, v);
	case LLVMAtomicRMWBinOpMin:
		return choose(ir, LLVMIntSLT, old, v);
	case LLVMAtomicRMWBinOpUMax:
		return choose(ir, LLVMIntUGT, old, v);
	case LLVMAtomicRMWBinOpUMin:
		return choose(ir, LLVMIntULT, old, v);
	case LLVMAtomicRMWBinOpFAdd:
		return LLVMBuildFAdd(ir->builder, old, v, "");
	case LLVMAtomicRMWBinOpFSub:
		return LLVMBuildFSub(ir->builder, old, v, "");
	default:
		LP_BUG("not split");
	}
}

static void split_rmw(struct lp_ir *ir, lp_ir_value x)
{
	const lp_ir_value p = LLVMGetOperand(x, 0);
	const LLVMAtomicOrdering order = LLVMGetOrdering(x);

	lp_ir_before(ir, x);
	const lp_ir_value old = build_load(ir, LLVMTypeOf(x), p, order);
	const lp_ir_value now = modified(ir, LLVMGetAtomicRMWBinOp(x), old, LLVMGetOperand(x, 1));
	build_store(ir, now, p, order);
	lp_ir_replace(x, old);
}

bool lp_ir_can_split(lp_ir_value x)
{
	return LLVMIsAAtomicCmpXchgInst(x) || (LLVMIsAAtomicRMWInst(x) && is_split(LLVMGetAtomicRMWBinOp(x)));
}

void lp_ir_split_rmw(struct lp_ir *ir, lp_ir_value x)
{
	if (LLVMIsAAtomicRMWInst(x))
		split_rmw(ir, x);
	else
		split_cas(ir, x);
}
