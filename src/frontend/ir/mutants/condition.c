/* condition.c -- conditions of the source.
 *
 * The order of blocks shows whether clang has inverted a condition: the code that is executed if the condition of the source holds
 * comes directly after the condition.  The body of a do loop is an exception: it comes before the condition.
 *
 *     if (a) X          br a, X, end      X:  end:
 *     if (!a) X         br a, end, X      X:  end:
 *     if (a && b) X     br a, second, end     second: br b, X, end     X:  end:
 *     if (a || b) X     br a, X, second       second: br b, X, end     X:  end:
 *     do X while (a)    X: br a, X, end       end:
 *     for (int i..; a;) X    br a, X, done    done: (the end of i)   X:  end:
 *
 * In the third and fourth forms, both branches have one target in common.  In the fourth, this target, X, comes directly after the second
 * branch; in the third, it does not.  In the last form, the block `done` has no place in the source, or the same place as the condition.
 * if (!(a && b)) gives the same code as if (!a || !b), and is treated as the latter.
 */
#include "frontend/ir/mutants/condition.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "frontend/ir/mutants/statements.h"

/* ---- which there are ---- */

/* Does the block only report that something is wrong?  An assertion is not part of the algorithm. */
static bool is_failure(LLVMBasicBlockRef block)
{
	return LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(block));
}

/* A compare-exchange writes back what it found: that branch is the compiler's.  So are flags of one bit in memory, which
 * say what there is to clean up, those of static variables, and the choice of a handler for an exception. */
static bool is_compilers(lp_ir_value v)
{
	if (LLVMIsAExtractValueInst(v))
		return LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(v, 0)) != NULL;
	if (LLVMIsALoadInst(v))
		return true;
	for (int i = 0; LLVMIsAICmpInst(v) && i < 2; i++) {
		const lp_ir_value x = LLVMGetOperand(v, (unsigned)i);
		if (LLVMIsALoadInst(x) && !strncmp(lp_ir_name(LLVMGetOperand(x, 0)), "_ZGV", 4))
			return true;
		if (lp_ir_is_call(x) &&
		    (!strncmp(lp_ir_callee(x), "__cxa_", 6) || lp_ir_is_intrinsic(x, "llvm.eh.typeid")))
			return true;
	}
	return false;
}

static bool is_branch(lp_ir_value x)
{
	return LLVMIsABranchInst(x) && LLVMIsConditional(x);
}

static bool is_negation(lp_ir_value x)
{
	return LLVMGetInstructionOpcode(x) == LLVMXor && LLVMIsAConstantInt(LLVMGetOperand(x, 1)) &&
	       LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(x)) == 1;
}

/* Is it a value for something else than a branch, a selection or its own negation? */
static bool is_used_as_value(lp_ir_value x)
{
	bool used = false;

	LP_IR_EACH_USE(x, u) {
		const lp_ir_value user = LLVMGetUser(u);
		if (is_branch(user) || is_negation(user) || (LLVMIsASelectInst(user) && LLVMGetOperand(user, 0) == x))
			return false;
		used = true;
	}
	return used;
}

bool lp_ir_is_condition(lp_ir_value x)
{
	if (is_branch(x)) {
		const lp_ir_value v = LLVMGetCondition(x);
		return !LLVMIsAConstant(v) && !is_compilers(v) && !is_failure(LLVMGetSuccessor(x, 0)) &&
		       !is_failure(LLVMGetSuccessor(x, 1)) && LLVMGetSuccessor(x, 0) != LLVMGetSuccessor(x, 1);
	}
	if (LLVMIsASelectInst(x))
		return !LLVMIsAConstant(LLVMGetOperand(x, 0)) &&
		       LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(x, 0))) == LLVMIntegerTypeKind;
	return (LLVMIsAICmpInst(x) || is_negation(x)) && !is_compilers(x) && is_used_as_value(x) &&
	       LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMIntegerTypeKind;
}

lp_ir_value lp_ir_condition_value(lp_ir_value x)
{
	return is_branch(x) ? LLVMGetCondition(x) : LLVMIsASelectInst(x) ? LLVMGetOperand(x, 0) : x;
}

/* ---- which way round ---- */

static bool comes_before(LLVMBasicBlockRef a, LLVMBasicBlockRef b)
{
	for (; a; a = LLVMGetNextBasicBlock(a))
		if (a == b)
			return true;
	return false;
}

static bool has_successor(LLVMBasicBlockRef block, LLVMBasicBlockRef successor)
{
	const lp_ir_value end = LLVMGetBasicBlockTerminator(block);

	for (unsigned i = 0; is_branch(end) && i < 2; i++)
		if (LLVMGetSuccessor(end, i) == successor)
			return true;
	return false;
}

/* What the compiler does when the loop with that condition ends?  It has no place in the source, or the condition's. */
static bool is_end_of_loop(LLVMBasicBlockRef block, lp_ir_value condition)
{
	const lp_ir_value end = LLVMGetBasicBlockTerminator(block);
	const LLVMMetadataRef place = LLVMInstructionGetDebugLoc(end);

	LP_IR_EACH_INSTRUCTION(block, x)
		if (x != end && !lp_ir_is_intrinsic(x, "llvm.lifetime.end") &&
		    (!LLVMIsAStoreInst(x) || LLVMInstructionGetDebugLoc(x)))
			return false;
	return LLVMIsABranchInst(end) && LLVMGetFirstInstruction(block) != end &&
	       (!place || place == LLVMInstructionGetDebugLoc(condition));
}

bool lp_ir_holds_if_true(lp_ir_value x)
{
	if (!is_branch(x))
		return true;
	const LLVMBasicBlockRef here = LLVMGetInstructionParent(x), next = LLVMGetNextBasicBlock(here);
	const LLVMBasicBlockRef yes = LLVMGetSuccessor(x, 0), no = LLVMGetSuccessor(x, 1);
	if (comes_before(yes, here) || comes_before(no, here)) /* a loop goes on */
		return comes_before(yes, here);
	if (yes != next && no != next)
		return true;
	if (is_end_of_loop(next, x))
		return no == next;
	const LLVMBasicBlockRef other = yes == next ? no : yes;
	const bool either = has_successor(next, other) && LLVMGetNextBasicBlock(next) == other;
	return either ? yes == other : yes == next;
}

LLVMBasicBlockRef lp_ir_goes_to(lp_ir_value x, bool holds)
{
	return is_branch(x) ? LLVMGetSuccessor(x, holds == lp_ir_holds_if_true(x) ? 0 : 1) : NULL;
}

/* ---- deciding ---- */

static bool is_computation(lp_ir_value x)
{
	return LLVMIsALoadInst(x) || LLVMIsACmpInst(x) || LLVMIsABinaryOperator(x) || LLVMIsACastInst(x) ||
	       LLVMIsAGetElementPtrInst(x) || LLVMIsASelectInst(x) || LLVMIsAExtractValueInst(x) || LLVMIsAFreezeInst(x);
}

/* A variable of the compiler's that was written for the sake of one read, which is gone: the store goes, too. */
static lp_ir_value only_store(lp_ir_value variable)
{
	lp_ir_value store = NULL;

	LP_IR_EACH_USE(variable, u) {
		const lp_ir_value user = LLVMGetUser(u);
		if (store || !LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != variable)
			return NULL;
		store = user;
	}
	return store;
}

/* Is it of no use any more? */
static bool is_useless(lp_ir_value v)
{
	if (LLVMIsAStoreInst(v))
		return LLVMIsAAllocaInst(LLVMGetOperand(v, 1)) && only_store(LLVMGetOperand(v, 1)) == v;
	return !LLVMGetFirstUse(v) && is_computation(v);
}

static void erase(lp_ir_value v, struct lp_ir_values *perhaps)
{
	const lp_ir_value variable = LLVMIsALoadInst(v) && LLVMIsAAllocaInst(LLVMGetOperand(v, 0)) ? LLVMGetOperand(v, 0) : NULL;

	for (int i = 0; i < LLVMGetNumOperands(v); i++)
		if (LLVMIsAInstruction(LLVMGetOperand(v, (unsigned)i)))
			lp_ir_values_add(perhaps, LLVMGetOperand(v, (unsigned)i));
	LLVMInstructionEraseFromParent(v);
	if (variable && only_store(variable))
		lp_ir_values_add(perhaps, only_store(variable));
}

void lp_ir_drop_values(struct lp_ir_values *perhaps)
{
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = 0; i < perhaps->count; i++) {
			const lp_ir_value v = perhaps->at[i];
			if (!v || !LLVMIsAInstruction(v) || !is_useless(v))
				continue;
			perhaps->at[i] = NULL;
			erase(v, perhaps);
			more = true;
		}
	}
}

void lp_ir_decide(struct lp_ir *ir, lp_ir_value x, bool holds)
{
	const lp_ir_value value = lp_ir_condition_value(x);
	const lp_ir_value decided = LLVMConstInt(ir->i1, holds == lp_ir_holds_if_true(x), false);
	struct lp_ir_values perhaps = { 0 };

	if (is_branch(x)) {
		LLVMSetCondition(x, decided);
	} else if (LLVMIsASelectInst(x)) {
		lp_ir_replace(x, LLVMGetOperand(x, holds ? 1 : 2));
	} else {
		LLVMReplaceAllUsesWith(x, decided);
	}
	LP_PUSH(&perhaps, value);
	lp_ir_drop_values(&perhaps);
	lp_free(perhaps.at);
}
