/* same_sites.c -- finds pairs of equivalent hooks. */
#include "frontend/ir/state/same_sites.h"

#include <string.h>

/* Two blocks from their hooks on: what has been computed so far, pair by pair. */
struct blocks {
	lp_ir_value hook[2];
	struct lp_ir_values made[2];
};

static bool is_read(lp_ir_value x)
{
	static const char *const hooks[] = { "lp_atomic_load", "lp_rmw" };
	const char *name = lp_ir_callee(x);

	for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
		if (!strncmp(name, hooks[i], strlen(hooks[i])))
			return LLVMIsACallInst(x);
	return !strcmp(name, "lp_cas") && LLVMIsACallInst(x);
}

/* The same value, or each other's results. */
static bool correspond(const struct blocks *p, lp_ir_value x, lp_ir_value y)
{
	for (uint32_t i = 0; i < p->made[0].count; i++)
		if (p->made[0].at[i] == x || p->made[1].at[i] == y)
			return p->made[0].at[i] == x && p->made[1].at[i] == y;
	return x == y;
}

static bool operands_correspond(const struct blocks *p, lp_ir_value x, lp_ir_value y)
{
	if (LLVMGetNumOperands(x) != LLVMGetNumOperands(y))
		return false;
	for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(x); i++)
		if (!correspond(p, LLVMGetOperand(x, i), LLVMGetOperand(y, i)))
			return false;
	return true;
}

static bool have_same_indices(lp_ir_value x, lp_ir_value y)
{
	const unsigned count = LLVMGetNumIndices(x);

	return count == LLVMGetNumIndices(y) &&
	       !memcmp(LLVMGetIndices(x), LLVMGetIndices(y), count * sizeof(unsigned));
}

/* Condition 2, of one instruction. */
static bool compute_same(const struct blocks *p, lp_ir_value x, lp_ir_value y)
{
	const LLVMOpcode opcode = LLVMGetInstructionOpcode(x);

	if (opcode != LLVMGetInstructionOpcode(y) || LLVMTypeOf(x) != LLVMTypeOf(y) || !operands_correspond(p, x, y))
		return false;
	switch (opcode) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMTrunc:
	case LLVMIntToPtr:
	case LLVMPtrToInt:
	case LLVMBitCast:
		return true;
	case LLVMICmp:
		return LLVMGetICmpPredicate(x) == LLVMGetICmpPredicate(y);
	case LLVMExtractValue:
		return have_same_indices(x, y);
	default:
		return false;
	}
}

static lp_ir_value end_of(const struct blocks *p, int which)
{
	return LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(p->hook[which]));
}

static bool compute_all_same(struct blocks *p)
{
	lp_ir_value x = p->hook[0], y = p->hook[1];

	for (;;) {
		lp_ir_values_add(&p->made[0], x);
		lp_ir_values_add(&p->made[1], y);
		x = LLVMGetNextInstruction(x);
		y = LLVMGetNextInstruction(y);
		if (x == end_of(p, 0) || y == end_of(p, 1))
			return x == end_of(p, 0) && y == end_of(p, 1);
		if (!compute_same(p, x, y))
			return false;
	}
}

/* Condition 3. */
static bool go_on_alike(const struct blocks *p)
{
	const lp_ir_value x = end_of(p, 0), y = end_of(p, 1);

	if (!LLVMIsABranchInst(x) || !LLVMIsABranchInst(y) || LLVMGetNumSuccessors(x) != LLVMGetNumSuccessors(y) ||
	    (LLVMIsConditional(x) && !correspond(p, LLVMGetCondition(x), LLVMGetCondition(y))))
		return false;
	for (unsigned i = 0; i < LLVMGetNumSuccessors(x); i++)
		if (LLVMGetSuccessor(x, i) != LLVMGetSuccessor(y, i))
			return false;
	return true;
}

static lp_ir_value comes_from(lp_ir_value phi, LLVMBasicBlockRef block)
{
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
		if (LLVMGetIncomingBlock(phi, i) == block)
			return LLVMGetIncomingValue(phi, i);
	return NULL;
}

/* Condition 4. */
static bool give_same(const struct blocks *p, LLVMBasicBlockRef to)
{
	LP_IR_EACH_INSTRUCTION(to, phi) {
		if (!LLVMIsAPHINode(phi))
			break;
		if (!correspond(p, comes_from(phi, LLVMGetInstructionParent(p->hook[0])),
				comes_from(phi, LLVMGetInstructionParent(p->hook[1]))))
			return false;
	}
	return true;
}

static bool are_same(lp_ir_value x, lp_ir_value y)
{
	struct blocks p = { .hook = { x, y } };
	bool same = LLVMGetCalledValue(x) == LLVMGetCalledValue(y) && compute_all_same(&p) && go_on_alike(&p);

	for (unsigned i = 0; same && i < LLVMGetNumSuccessors(end_of(&p, 0)); i++)
		same = give_same(&p, LLVMGetSuccessor(end_of(&p, 0), i));
	lp_free(p.made[0].at);
	lp_free(p.made[1].at);
	return same;
}

/* Condition 5. */
static bool have_same_live(const struct lp_ir_live *live, uint32_t a, uint32_t b)
{
	return !memcmp(live->at_sites + (size_t)a * live->words, live->at_sites + (size_t)b * live->words,
		       live->words * sizeof *live->at_sites);
}

void lp_ir_find_same(const struct lp_ir_live *live, uint32_t *same)
{
	for (uint32_t n = 0; n < live->sites.count; n++) {
		same[n] = n;
		if (live->unknown || !is_read(live->sites.at[n]))
			continue;
		for (uint32_t m = 0; m < n && same[n] == n; m++)
			if (same[m] == m && is_read(live->sites.at[m]) && have_same_live(live, m, n) &&
			    are_same(live->sites.at[m], live->sites.at[n]))
				same[n] = m;
	}
}
