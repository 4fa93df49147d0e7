/* statements.c -- the statements of a basic block. */
#include "frontend/ir/mutants/statements.h"

#include <string.h>

#include "frontend/ir/mutants/mutant_object.h"

struct statement {
	lp_ir_value first, effect, last; /* the last one may end a variable */
};

struct statements {
	LP_VEC(struct statement); /* an empty one is between two that are not neighbours */
};

/* What a statement has to do with. */
struct effects {
	struct lp_ir_values reads, writes; /* variables of the function */
	bool shared, orders;
};

lp_ir_value lp_ir_variable_of(lp_ir_value address)
{
	while (LLVMIsAGetElementPtrInst(address) || LLVMIsABitCastInst(address) || LLVMIsAAddrSpaceCastInst(address))
		address = LLVMGetOperand(address, 0);
	return LLVMIsAAllocaInst(address) ? address : NULL;
}

/* ---- finding them ---- */

/* A variable of the compiler's, or the parameter of a function that was inlined: the same expression reads it. */
static bool is_handed_on(struct lp_ir *ir, lp_ir_value store)
{
	const lp_ir_value variable = lp_ir_variable_of(LLVMGetOperand(store, 1));
	struct lp_ir_place here, there;

	if (!variable || !lp_ir_place(ir, store, &here))
		return variable;
	for (lp_ir_value x = LLVMGetNextInstruction(store); x; x = LLVMGetNextInstruction(x))
		if (LLVMIsALoadInst(x) && LLVMGetOperand(x, 0) == variable)
			return lp_ir_place(ir, x, &there) && here.line == there.line && here.column == there.column;
	return false;
}

static bool is_effect(struct lp_ir *ir, lp_ir_value x)
{
	switch (LLVMGetInstructionOpcode(x)) {
	case LLVMStore:
		return !is_handed_on(ir, x);
	case LLVMFence:
		return true;
	case LLVMCall:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return !LLVMGetFirstUse(x);
	default:
		return false;
	}
}

static bool is_note(lp_ir_value x)
{
	return lp_ir_is_intrinsic(x, "llvm.dbg.") || lp_ir_is_intrinsic(x, "llvm.lifetime.start") ||
	       lp_ir_is_intrinsic(x, "llvm.lifetime.end");
}

/* What no statement moves across. */
static bool is_barrier(lp_ir_value x)
{
	return LLVMIsAPHINode(x) || LLVMIsAAllocaInst(x) || LLVMIsATerminatorInst(x) || LLVMIsALandingPadInst(x) ||
	       lp_ir_is_intrinsic(x, "llvm.stack");
}

/* Does it end a variable that the statement begins: a parameter of a function that was inlined? */
static bool ends_own(const struct statement *s, lp_ir_value x)
{
	for (lp_ir_value y = s->first; y && y != x; y = LLVMGetNextInstruction(y))
		if (lp_ir_is_intrinsic(y, "llvm.lifetime.start") && LLVMGetOperand(y, 1) == LLVMGetOperand(x, 1))
			return true;
	return false;
}

static void find_statements(struct lp_ir *ir, LLVMBasicBlockRef block, struct statements *all)
{
	lp_ir_value first = NULL;

	all->count = 0;
	LP_IR_EACH_INSTRUCTION(block, x) {
		const bool ends = lp_ir_is_intrinsic(x, "llvm.lifetime.end");
		if (ends && !first && all->count && LP_LAST(all).effect && ends_own(&LP_LAST(all), x)) {
			LP_LAST(all).last = x;
			continue;
		}
		if (is_barrier(x) || ends) {
			first = NULL;
			LP_PUSH(all, ((struct statement){ NULL, NULL, NULL }));
			continue;
		}
		first = first ? first : x;
		if (is_note(x) || !is_effect(ir, x))
			continue;
		LP_PUSH(all, ((struct statement){ first, x, x }));
		first = NULL;
	}
}

/* ---- what they do ---- */

static void note_access(struct effects *e, lp_ir_value address, bool reads, bool writes)
{
	const lp_ir_value variable = lp_ir_variable_of(address);

	e->shared |= !variable;
	if (variable && reads)
		lp_ir_values_add(&e->reads, variable);
	if (variable && writes)
		lp_ir_values_add(&e->writes, variable);
}

/* Of a library's functions, those that begin or end something: nothing else knows of it then. */
static bool is_making(const char *name)
{
	return strstr(name, "_init") || strstr(name, "_destroy") || strstr(name, "alloc") || !strcmp(name, "free") ||
	       !strncmp(name, "_Znw", 4) || !strncmp(name, "_Zdl", 4);
}

static void note_call(struct effects *e, lp_ir_value x)
{
	const bool making = lp_ir_is_intrinsic(x, "llvm.") ||
			    (!lp_ir_is_defined(LLVMGetCalledValue(x)) && is_making(lp_ir_callee(x)));

	for (unsigned i = 0; i < LLVMGetNumArgOperands(x); i++)
		if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(x, i))) == LLVMPointerTypeKind &&
		    lp_ir_variable_of(LLVMGetOperand(x, i)))
			note_access(e, LLVMGetOperand(x, i), true, true);
	e->shared |= !is_note(x);
	e->orders |= !making;
}

static void note_effects(struct effects *e, lp_ir_value x)
{
	e->orders |= lp_ir_is_atomic(x) || LLVMIsAFenceInst(x);
	if (LLVMIsALoadInst(x))
		note_access(e, LLVMGetOperand(x, 0), true, false);
	else if (LLVMIsAStoreInst(x))
		note_access(e, LLVMGetOperand(x, 1), false, true);
	else if (LLVMIsAAtomicRMWInst(x) || LLVMIsAAtomicCmpXchgInst(x))
		note_access(e, LLVMGetOperand(x, 0), true, true);
	else if (lp_ir_is_call(x))
		note_call(e, x);
	e->shared |= LLVMIsAFenceInst(x) != NULL;
}

static bool have_common(const struct lp_ir_values *a, const struct lp_ir_values *b)
{
	for (uint32_t i = 0; i < a->count; i++)
		if (lp_ir_values_have(b, a->at[i]))
			return true;
	return false;
}

static bool is_inside(const struct statement *s, lp_ir_value user)
{
	for (lp_ir_value x = s->first; x; x = x == s->last ? NULL : LLVMGetNextInstruction(x))
		if (x == user)
			return true;
	return false;
}

/* Collects what it does.  False if one of its values is used elsewhere. */
static bool examine(const struct statement *s, struct effects *e)
{
	for (lp_ir_value x = s->first; x; x = x == s->last ? NULL : LLVMGetNextInstruction(x)) {
		note_effects(e, x);
		LP_IR_EACH_USE(x, u)
			if (!is_inside(s, LLVMGetUser(u)))
				return false;
	}
	return true;
}

static void drop_effects(struct effects *e)
{
	lp_free(e->reads.at);
	lp_free(e->writes.at);
}

static bool can_swap(const struct statement *a, const struct statement *b)
{
	struct effects x = { 0 }, y = { 0 };

	const bool can = a->effect && b->effect && examine(a, &x) && examine(b, &y) && x.shared && y.shared &&
			 (x.orders || y.orders) && !have_common(&x.writes, &y.writes) &&
			 !have_common(&x.writes, &y.reads) && !have_common(&x.reads, &y.writes);
	drop_effects(&x);
	drop_effects(&y);
	return can;
}

/* ---- the two ---- */

/* The statement that ends so, and the next one. */
static bool find_pair(struct lp_ir *ir, lp_ir_value effect, struct statement *a, struct statement *b)
{
	struct statements all = { 0 };
	bool found = false;

	find_statements(ir, LLVMGetInstructionParent(effect), &all);
	for (uint32_t i = 0; i + 1 < all.count && !found; i++)
		if (all.at[i].effect == effect) {
			*a = all.at[i];
			*b = all.at[i + 1];
			found = true;
		}
	lp_free(all.at);
	return found;
}

bool lp_ir_can_swap(struct lp_ir *ir, lp_ir_value effect, lp_ir_value *next)
{
	struct statement a, b;

	if (!is_effect(ir, effect) || !find_pair(ir, effect, &a, &b) || !can_swap(&a, &b))
		return false;
	*next = b.effect;
	return true;
}

void lp_ir_swap(struct lp_ir *ir, lp_ir_value effect)
{
	struct statement a, b;

	if (!find_pair(ir, effect, &a, &b))
		return;
	for (lp_ir_value x = b.first, next; x; x = next) {
		next = x == b.last ? NULL : LLVMGetNextInstruction(x);
		lp_ir_move_before(ir, x, a.first);
	}
}
