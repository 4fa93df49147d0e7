/* outlived.c -- a search for accesses, forwards from the end of a variable. */
#include "frontend/ir/state/outlived.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/ir/state/fixed.h"
#include "frontend/ir/state/privacy.h"

/* The blocks of the function by address, and which of them the current search has reached. */
struct search {
	struct {
		LP_VEC(LLVMBasicBlockRef);
	} blocks, work;
	uint8_t *reached;
	struct lp_ir_values begins, accesses;
};

static int by_address(const void *a, const void *b)
{
	const LLVMBasicBlockRef *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void reach(struct search *s, LLVMBasicBlockRef b)
{
	const LLVMBasicBlockRef *at = bsearch(&b, s->blocks.at, s->blocks.count, sizeof b, by_address);

	LP_HOLDS(at);
	if (s->reached[at - s->blocks.at])
		return;
	s->reached[at - s->blocks.at] = 1;
	LP_PUSH(&s->work, b);
}

static bool computes_address(lp_ir_value x)
{
	return LLVMIsAGetElementPtrInst(x) || LLVMIsABitCastInst(x) || LLVMIsAFreezeInst(x) || LLVMIsASelectInst(x) ||
	       LLVMIsAPHINode(x);
}

static bool accesses(lp_ir_value x)
{
	static const char *const others[] = { "llvm.lifetime.", "llvm.dbg.", "llvm.invariant.", "lp_within", "lp_private_begins" };

	if (lp_ir_is_call(x))
		for (size_t i = 0; i < sizeof others / sizeof *others; i++)
			if (!strncmp(lp_ir_callee(x), others[i], strlen(others[i])))
				return false;
	return !computes_address(x) && !LLVMIsAICmpInst(x);
}

static void find_accesses(struct search *s, lp_ir_value variable)
{
	struct lp_ir_values addresses = { 0 };

	s->accesses.count = 0;
	lp_ir_values_add(&addresses, variable);
	for (uint32_t i = 0; i < addresses.count; i++)
		LP_IR_EACH_USE(addresses.at[i], u) {
			const lp_ir_value user = LLVMGetUser(u);
			if (computes_address(user))
				lp_ir_values_add(&addresses, user);
			else if (accesses(user))
				lp_ir_values_add(&s->accesses, user);
		}
	lp_free(addresses.at);
}

/* Is there an access at x or below?  If the block comes to its end first, its successors are reached. */
static bool goes_on_to_access(struct search *s, LLVMBasicBlockRef b, lp_ir_value x)
{
	for (; x; x = LLVMGetNextInstruction(x)) {
		if (lp_ir_values_have(&s->accesses, x))
			return true;
		if (lp_ir_values_have(&s->begins, x))
			return false;
	}
	const lp_ir_value end = LLVMGetBasicBlockTerminator(b);
	for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
		reach(s, LLVMGetSuccessor(end, i));
	return false;
}

static bool is_outlived(struct search *s, lp_ir_value variable)
{
	struct lp_ir_values ends = { 0 };
	bool found = false;

	s->begins.count = s->work.count = 0;
	LP_IR_EACH_USE(variable, u) {
		const lp_ir_value user = LLVMGetUser(u);
		if (lp_ir_is_intrinsic(user, "llvm.lifetime.start"))
			LP_PUSH(&s->begins, user);
		else if (lp_ir_is_intrinsic(user, "llvm.lifetime.end"))
			LP_PUSH(&ends, user);
	}
	if (ends.count) {
		find_accesses(s, variable);
		memset(s->reached, 0, s->blocks.count);
	}
	for (uint32_t i = 0; i < ends.count && !found; i++)
		found = goes_on_to_access(s, LLVMGetInstructionParent(ends.at[i]), LLVMGetNextInstruction(ends.at[i]));
	for (uint32_t i = 0; i < s->work.count && !found; i++)
		found = goes_on_to_access(s, s->work.at[i], LLVMGetFirstInstruction(s->work.at[i]));
	lp_free(ends.at);
	return found;
}

void lp_ir_remove_outlived(lp_ir_value f, struct lp_ir_values *private)
{
	struct search s = { 0 };
	const uint32_t before = private->count;
	uint32_t kept = 0;

	LP_IR_EACH_BLOCK(f, b)
		LP_PUSH(&s.blocks, b);
	qsort(s.blocks.at, s.blocks.count, sizeof *s.blocks.at, by_address);
	s.reached = lp_alloc(s.blocks.count);
	for (uint32_t i = 0; i < private->count; i++)
		if (!lp_ir_is_hooked(private->at[i]) || !is_outlived(&s, private->at[i])) /* else others never knew it */
			private->at[kept++] = private->at[i];
	private->count = kept;
	if (kept < before)
		lp_ir_remove_mixed(f, private);
	lp_free(s.blocks.at);
	lp_free(s.work.at);
	lp_free(s.reached);
	lp_free(s.begins.at);
	lp_free(s.accesses.at);
}
