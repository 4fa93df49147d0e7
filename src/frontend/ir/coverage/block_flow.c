/* block_flow.c -- blocks, edges, and what they lead to. */
#include "frontend/ir/coverage/block_flow.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* ---- blocks and edges ---- */

static int by_address(const void *a, const void *b)
{
	const uintptr_t x = (uintptr_t) * (LLVMBasicBlockRef const *)a, y = (uintptr_t) * (LLVMBasicBlockRef const *)b;

	return (x > y) - (x < y);
}

static uint32_t position(const struct lp_ir_flow *flow, LLVMBasicBlockRef b)
{
	const LLVMBasicBlockRef *found =
		bsearch(&b, flow->sorted.at, flow->sorted.count, sizeof b, by_address);

	return (uint32_t)(found - flow->sorted.at);
}

uint32_t lp_ir_flow_number(const struct lp_ir_flow *flow, LLVMBasicBlockRef b)
{
	return flow->number[position(flow, b)];
}

static void find_edges(struct lp_ir_flow *flow)
{
	for (uint32_t i = 0; i < flow->count; i++)
		for (uint32_t way = 0; way < LLVMGetNumSuccessors(flow->at[i].end); way++) {
			const uint32_t to = lp_ir_flow_number(flow, LLVMGetSuccessor(flow->at[i].end, way));
			LP_PUSH(&flow->at[to].before, ((struct lp_ir_edge){ i, way }));
		}
}

/* ---- ends ---- */

/* These end the program because something is wrong; exit(), longjmp() and a throw are ways to go on. */
static bool reports_error(const char *name)
{
	static const char *const names[] = {
		"abort", "__assert_fail", "__assert", "__assert_rtn", "llvm.trap", "llvm.ubsantrap", "llvm.debugtrap",
		"_ZSt9terminatev", "__cxa_pure_virtual", "__VERIFIER_error", "reach_error", "__clang_call_terminate",
		"_ZSt21__glibcxx_assert_failPKciS0_S0_", "lp_invariant_broken", "lp_invalid_order", NULL
	};

	for (const char *const *n = names; *n; n++)
		if (!strcmp(name, *n))
			return true;
	return false;
}

static bool function_fails(lp_ir_value f, unsigned depth);

/* The block ends in `unreachable`: is that after a call that reports an error, or of no call at all,
 * as __builtin_unreachable() is? */
static bool ends_in_error(LLVMBasicBlockRef b, unsigned depth)
{
	for (lp_ir_value x = LLVMGetLastInstruction(b); x; x = LLVMGetPreviousInstruction(x)) {
		if (!LLVMIsACallInst(x) || lp_ir_is_intrinsic(x, "llvm.lifetime.") || lp_ir_is_intrinsic(x, "llvm.dbg."))
			continue;
		const lp_ir_value callee = LLVMGetCalledValue(x);
		return reports_error(lp_ir_callee(x)) ||
		       (LLVMIsAFunction(callee) && lp_ir_is_defined(callee) && depth < 4 && function_fails(callee, depth + 1));
	}
	return true;
}

/* Of a call that may throw, what comes after the exception is not looked at. */
static uint32_t ways_on(lp_ir_value end)
{
	return LLVMIsAInvokeInst(end) ? 1 : LLVMGetNumSuccessors(end);
}

/* What clang makes of the end of a block that is never reached: "if (!false) trap; unreachable". */
static bool is_checked_end(lp_ir_value end)
{
	if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || !LLVMIsAConstantInt(LLVMGetCondition(end)) ||
	    LLVMConstIntGetZExtValue(LLVMGetCondition(end)))
		return false;
	for (lp_ir_value x = LLVMGetFirstInstruction(LLVMGetSuccessor(end, 1)); x; x = LLVMGetNextInstruction(x))
		if (LLVMIsACallInst(x) && lp_ir_is_intrinsic(x, "llvm.ubsantrap"))
			return true;
	return false;
}

static bool leads_to_errors(const struct lp_ir_flow *flow, const struct lp_ir_block *b, unsigned depth)
{
	if (LLVMGetInstructionOpcode(b->end) == LLVMUnreachable || is_checked_end(b->end))
		return ends_in_error(b->at, depth);
	for (uint32_t way = 0; way < ways_on(b->end); way++)
		if (!flow->at[lp_ir_flow_number(flow, LLVMGetSuccessor(b->end, way))].fails)
			return false;
	return ways_on(b->end) > 0;
}

static void find_failing(struct lp_ir_flow *flow, unsigned depth)
{
	for (bool more = true; more;) {
		more = false;
		for (uint32_t i = flow->count; i-- > 0;)
			if (!flow->at[i].fails && leads_to_errors(flow, &flow->at[i], depth))
				flow->at[i].fails = more = true;
	}
}

static void open_blocks(lp_ir_value function, struct lp_ir_flow *flow)
{
	*flow = (struct lp_ir_flow){ 0 };
	LP_IR_EACH_BLOCK(function, b) {
		LP_PUSH(flow, ((struct lp_ir_block){ .at = b, .end = LLVMGetBasicBlockTerminator(b) }));
		LP_PUSH(&flow->sorted, b);
	}
	qsort(flow->sorted.at, flow->sorted.count, sizeof *flow->sorted.at, by_address);
	flow->number = lp_alloc(sizeof *flow->number * flow->count);
	for (uint32_t i = 0; i < flow->count; i++)
		flow->number[position(flow, flow->at[i].at)] = i;
}

static bool function_fails(lp_ir_value f, unsigned depth)
{
	struct lp_ir_flow flow;

	open_blocks(f, &flow);
	find_failing(&flow, depth);
	const bool fails = flow.at[0].fails;
	lp_ir_flow_close(&flow);
	return fails;
}

/* ---- loops ---- */

struct visit {
	uint32_t block, way;
};

/* Depth first: an edge back to a block on the way there closes a loop. */
static void find_back_edges(struct lp_ir_flow *flow)
{
	struct { LP_VEC(struct visit); } path = { 0 };
	bool *on_path = lp_alloc_zero(flow->count, sizeof *on_path);

	LP_PUSH(&path, ((struct visit){ 0, 0 }));
	flow->at[0].reached = on_path[0] = true;
	while (path.count) {
		struct visit *v = &LP_LAST(&path);
		struct lp_ir_block *b = &flow->at[v->block];
		if (v->way == LLVMGetNumSuccessors(b->end)) {
			on_path[v->block] = false;
			path.count--;
			continue;
		}
		const struct lp_ir_edge edge = { v->block, v->way };
		const uint32_t to = lp_ir_flow_number(flow, LLVMGetSuccessor(b->end, v->way++));
		if (on_path[to])
			LP_PUSH(&flow->back, edge);
		if (!flow->at[to].reached) {
			flow->at[to].reached = on_path[to] = true;
			LP_PUSH(&path, ((struct visit){ to, 0 }));
		}
	}
	lp_free(path.at);
	lp_free(on_path);
}

void lp_ir_flow_open(lp_ir_value function, struct lp_ir_flow *flow)
{
	open_blocks(function, flow);
	find_edges(flow);
	find_failing(flow, 0);
	find_back_edges(flow);
}

void lp_ir_flow_close(struct lp_ir_flow *flow)
{
	for (uint32_t i = 0; i < flow->count; i++)
		lp_free(flow->at[i].before.at);
	lp_free(flow->at);
	lp_free(flow->sorted.at);
	lp_free(flow->number);
	lp_free(flow->back.at);
}

/* ---- branches ---- */

bool lp_ir_is_branch(lp_ir_value end)
{
	return LLVMIsASwitchInst(end) || (LLVMIsABranchInst(end) && LLVMIsConditional(end));
}

lp_ir_value lp_ir_condition(lp_ir_value branch)
{
	return LLVMIsASwitchInst(branch) ? LLVMGetOperand(branch, 0) : LLVMGetCondition(branch);
}

static bool is_same_place(lp_ir_value a, lp_ir_value b)
{
	const LLVMMetadataRef x = LLVMInstructionGetDebugLoc(a), y = LLVMInstructionGetDebugLoc(b);

	return x && y && LLVMDILocationGetLine(x) == LLVMDILocationGetLine(y) &&
	       LLVMDILocationGetColumn(x) == LLVMDILocationGetColumn(y);
}

/* One way for each memory order that an operation may be given. */
static bool is_of_order(lp_ir_value branch)
{
	for (uint32_t way = 0; LLVMIsASwitchInst(branch) && way < LLVMGetNumSuccessors(branch); way++)
		LP_IR_EACH_INSTRUCTION(LLVMGetSuccessor(branch, way), x)
			if ((lp_ir_is_atomic(x) || LLVMIsAFenceInst(x) || LLVMIsASwitchInst(x)) && is_same_place(branch, x))
				return true;
	return false;
}

bool lp_ir_is_within_operation(lp_ir_value branch)
{
	const lp_ir_value condition = lp_ir_condition(branch);

	return (LLVMIsAExtractValueInst(condition) && LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(condition, 0))) ||
	       is_of_order(branch);
}

/* A variable of the compiler's own, which only gets constants, tells where to go on. */
bool lp_ir_leaves_scope(lp_ir_value branch)
{
	const lp_ir_value condition = lp_ir_condition(branch);

	if (!LLVMIsASwitchInst(branch) || !LLVMIsALoadInst(condition) || !LLVMIsAAllocaInst(LLVMGetOperand(condition, 0)) ||
	    !LLVMIsAUnreachableInst(LLVMGetFirstInstruction(LLVMGetSuccessor(branch, 0))))
		return false;
	LP_IR_EACH_USE(LLVMGetOperand(condition, 0), u)
		if (LLVMIsAStoreInst(LLVMGetUser(u)) && !LLVMIsAConstantInt(LLVMGetOperand(LLVMGetUser(u), 0)))
			return false;
	return true;
}

/* Of a static variable: was it initialised?  Of an exception: is it of this type? */
static bool is_of_guard(lp_ir_value condition)
{
	if (!LLVMIsAICmpInst(condition))
		return false;
	const lp_ir_value asked = LLVMGetOperand(condition, 0), with = LLVMGetOperand(condition, 1);
	if (LLVMIsALoadInst(asked) && !strncmp(lp_ir_name(LLVMGetOperand(asked, 0)), "_ZGV", 4))
		return true;
	return !strcmp(lp_ir_callee(asked), "__cxa_guard_acquire") ||
	       (LLVMIsACallInst(with) && lp_ir_is_intrinsic(with, "llvm.eh.typeid.for"));
}

/* Of a coroutine: is it suspended here, or does its frame need memory? */
static bool is_of_coroutine(lp_ir_value condition)
{
	return lp_ir_is_intrinsic(condition, "llvm.coro.") || strstr(lp_ir_callee(condition), "await_ready");
}

bool lp_ir_is_made_by_compiler(lp_ir_value branch)
{
	const lp_ir_value condition = lp_ir_condition(branch);
	const LLVMMetadataRef at = LLVMInstructionGetDebugLoc(branch);

	if (!at || !LLVMDILocationGetLine(at) || LLVMIsAConstant(condition))
		return true;
	/* A bool of the source is a byte; one bit is the compiler's own. */
	if (LLVMIsALoadInst(condition) && LLVMGetTypeKind(LLVMTypeOf(condition)) == LLVMIntegerTypeKind &&
	    LLVMGetIntTypeWidth(LLVMTypeOf(condition)) == 1)
		return true;
	return lp_ir_is_within_operation(branch) || lp_ir_leaves_scope(branch) || is_of_guard(condition) ||
	       is_of_coroutine(condition);
}
