/* results.c -- walks along uses, edges and calls. */
#include "frontend/ir/state/results.h"

#include <string.h>

#include "frontend/ir/coverage/marks.h"

/* Does it do nothing but compute?  Divisions may also end the program. */
static bool computes(lp_ir_value x)
{
	switch (LLVMGetInstructionOpcode(x)) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
	case LLVMAnd:
	case LLVMOr:
	case LLVMICmp:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMTrunc:
	case LLVMPHI:
	case LLVMIntToPtr:
	case LLVMPtrToInt:
	case LLVMSelect:
	case LLVMFreeze:
	case LLVMXor:
	case LLVMExtractValue:
	case LLVMBitCast:
		return true;
	default:
		return false;
	}
}

enum lp_site_result lp_ir_result(lp_ir_value call)
{
	struct lp_ir_values work = { 0 };
	bool returned = false, used = false;

	lp_ir_values_add(&work, call);
	for (uint32_t i = 0; i < work.count && !used; i++)
		LP_IR_EACH_USE(work.at[i], u) {
			const lp_ir_value user = LLVMGetUser(u);
			if (lp_ir_is_mark(user))
				continue;
			if (LLVMIsAReturnInst(user))
				returned = true;
			else if (computes(user))
				lp_ir_values_add(&work, user);
			else
				used = true;
		}
	lp_free(work.at);
	return used ? LP_RESULT_USED : returned ? LP_RESULT_PASSED_ON : LP_RESULT_UNUSED;
}

static bool is_indifferent(lp_ir_value call)
{
	static const char *const names[] = { "lp_shim_srand", "lp_shim_srandom", "lp_shim_srand48",
					     "lp_shim_sleep", "lp_shim_usleep", NULL };

	for (const char *const *name = names; *name; name++)
		if (!strcmp(lp_ir_callee(call), *name))
			return true;
	return false;
}

bool lp_ir_result_is_dropped(lp_ir_value call)
{
	struct lp_ir_values work = { 0 };
	bool dropped = true;

	lp_ir_values_add(&work, call);
	for (uint32_t i = 0; i < work.count && dropped; i++)
		LP_IR_EACH_USE(work.at[i], u) {
			const lp_ir_value user = LLVMGetUser(u);
			if (lp_ir_is_call(user))
				dropped &= is_indifferent(user);
			else if (computes(user) || LLVMIsABinaryOperator(user)) /* % 100 */
				lp_ir_values_add(&work, user);
			else
				dropped = false;
		}
	lp_free(work.at);
	return dropped;
}

bool lp_ir_on_cycle(lp_ir_value x)
{
	const LLVMBasicBlockRef start = LLVMGetInstructionParent(x);
	struct {
		LP_VEC(LLVMBasicBlockRef);
	} reached = { 0 };
	bool found = false;

	LP_PUSH(&reached, start);
	for (uint32_t i = 0; i < reached.count && !found; i++) {
		const lp_ir_value end = LLVMGetBasicBlockTerminator(reached.at[i]);
		for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
			const LLVMBasicBlockRef to = LLVMGetSuccessor(end, s);
			bool known = false;
			found |= to == start;
			for (uint32_t k = 0; k < reached.count && !known; k++)
				known = reached.at[k] == to;
			if (!known)
				LP_PUSH(&reached, to);
		}
	}
	lp_free(reached.at);
	return found;
}

bool lp_ir_calls_itself(lp_ir_value function)
{
	struct lp_ir_values reached = { 0 };
	bool found = false;

	lp_ir_values_add(&reached, function);
	for (uint32_t i = 0; i < reached.count && !found; i++)
		LP_IR_EACH_BLOCK(reached.at[i], b)
			LP_IR_EACH_INSTRUCTION(b, x) {
				const lp_ir_value to = lp_ir_is_call(x) ? LLVMGetCalledValue(x) : NULL;
				if (!to || !LLVMIsAFunction(to) || !lp_ir_is_defined(to))
					continue;
				found |= to == function;
				lp_ir_values_add(&reached, to);
			}
	lp_free(reached.at);
	return found;
}
