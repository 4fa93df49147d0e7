/* privatise.c -- hooks on variables that have become private.
 *
 * Before inlining, a variable whose address is given to a helper function is known to that function, and its accesses are hooks.
 * Once the helper is inlined, no other function knows the variable.
 */
#include <string.h>

#include "base/rmw.h"
#include "frontend/ir/state/fixed.h"
#include "frontend/ir/access/insert_hooks.h"
#include "frontend/ir/state/outlived.h"
#include "frontend/ir/state/privacy.h"
#include "frontend/ir/access/site_records.h"
#include "frontend/ir/state/written.h"

static bool begins(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

static lp_ir_value load(struct lp_ir *ir, LLVMTypeRef type, lp_ir_value p)
{
	const lp_ir_value v = LLVMBuildLoad2(ir->builder, type, p, "");

	LLVMSetAlignment(v, 1);
	return v;
}

static lp_ir_value store(struct lp_ir *ir, lp_ir_value v, lp_ir_value p)
{
	const lp_ir_value x = LLVMBuildStore(ir->builder, v, p);

	LLVMSetAlignment(x, 1);
	return x;
}

static lp_ir_value chosen(struct lp_ir *ir, LLVMIntPredicate first, lp_ir_value old, lp_ir_value operand)
{
	return LLVMBuildSelect(ir->builder, LLVMBuildICmp(ir->builder, first, old, operand, ""), old, operand, "");
}

static lp_ir_value computed(struct lp_ir *ir, enum lp_rmw how, lp_ir_value old, lp_ir_value operand)
{
	switch (how) {
	case LP_XCHG:
		return operand;
	case LP_ADD:
		return LLVMBuildAdd(ir->builder, old, operand, "");
	case LP_SUB:
		return LLVMBuildSub(ir->builder, old, operand, "");
	case LP_AND:
		return LLVMBuildAnd(ir->builder, old, operand, "");
	case LP_OR:
		return LLVMBuildOr(ir->builder, old, operand, "");
	case LP_XOR:
		return LLVMBuildXor(ir->builder, old, operand, "");
	case LP_NAND:
		return LLVMBuildNot(ir->builder, LLVMBuildAnd(ir->builder, old, operand, ""), "");
	case LP_MAX:
		return chosen(ir, LLVMIntSGT, old, operand);
	case LP_MIN:
		return chosen(ir, LLVMIntSLT, old, operand);
	case LP_UMAX:
		return chosen(ir, LLVMIntUGT, old, operand);
	case LP_UMIN:
		return chosen(ir, LLVMIntULT, old, operand);
	default:
		return NULL;
	}
}

static const struct lp_site *record_of(struct lp_ir *ir, lp_ir_value hook)
{
	uint32_t site;

	if (!lp_ir_site_of(ir, LLVMGetOperand(hook, 0), &site))
		LP_BUG("a hook without a site");
	return lp_ir_site_record(ir, site);
}

static void plain_rmw(struct lp_ir *ir, lp_ir_value x)
{
	const lp_ir_value p = LLVMGetOperand(x, 1);
	const enum lp_rmw how = (enum lp_rmw)record_of(ir, x)->rmw;

	const lp_ir_value old = load(ir, LLVMTypeOf(x), p);
	store(ir, computed(ir, how, old, LLVMGetOperand(x, 2)), p);
	lp_ir_replace(x, old);
}

static void plain_cas(struct lp_ir *ir, lp_ir_value x)
{
	const LLVMTypeRef type = LLVMIntTypeInContext(ir->context, record_of(ir, x)->size * 8u);
	const lp_ir_value p = LLVMGetOperand(x, 1), old = load(ir, type, p);
	const lp_ir_value expected = LLVMBuildTrunc(ir->builder, LLVMGetOperand(x, 2), type, "");
	const lp_ir_value wanted = LLVMBuildTrunc(ir->builder, LLVMGetOperand(x, 3), type, "");
	const lp_ir_value equal = LLVMBuildICmp(ir->builder, LLVMIntEQ, old, expected, "");
	lp_ir_value found = LLVMGetUndef(LLVMTypeOf(x));

	store(ir, LLVMBuildSelect(ir->builder, equal, wanted, old, ""), p);
	found = LLVMBuildInsertValue(ir->builder, found, LLVMBuildZExt(ir->builder, old, ir->i64, ""), 0, "");
	found = LLVMBuildInsertValue(ir->builder, found, LLVMBuildZExt(ir->builder, equal, ir->i64, ""), 1, "");
	lp_ir_replace(x, found);
}

static void plain_cas16(struct lp_ir *ir, lp_ir_value x)
{
	const lp_ir_value p = LLVMGetOperand(x, 1), room = LLVMGetOperand(x, 2);
	const lp_ir_value old = load(ir, ir->i128, p), expected = load(ir, ir->i128, room);
	const lp_ir_value equal = LLVMBuildICmp(ir->builder, LLVMIntEQ, old, expected, "");

	store(ir, LLVMBuildSelect(ir->builder, equal, LLVMGetOperand(x, 3), old, ""), p);
	store(ir, old, room);
	lp_ir_replace(x, equal);
}

static void plain_copy(struct lp_ir *ir, lp_ir_value x, const struct lp_ir_values *private)
{
	const lp_ir_value to = LLVMGetOperand(x, 1), from = LLVMGetOperand(x, 2), size = LLVMGetOperand(x, 3);
	const bool to_private = lp_ir_points_to(to, private), from_private = lp_ir_points_to(from, private);

	if (to_private && from_private) {
		LLVMBuildMemMove(ir->builder, to, 1, from, 1, size);
	} else {
		lp_ir_value arguments[] = { LLVMGetOperand(x, 0), to, from, size };
		const char *name = to_private ? "lp_read" : from_private ? "lp_write" : "lp_copy";
		if (!strcmp(name, lp_ir_callee(x)))
			return;
		lp_ir_call(ir, name, ir->nothing, arguments, 4);
	}
	lp_ir_replace(x, NULL);
}

static void privatise(struct lp_ir *ir, lp_ir_value x, const struct lp_ir_values *private)
{
	const char *name = lp_ir_callee(x);

	if (!lp_ir_is_hook(name) || !lp_ir_hook_accesses(name, 1))
		return;
	lp_ir_before(ir, x);
	if (begins(name, "lp_read") || begins(name, "lp_write") || begins(name, "lp_copy")) {
		plain_copy(ir, x, private);
		return;
	}
	if (begins(name, "lp_object_") || !lp_ir_points_to(LLVMGetOperand(x, 1), private))
		return;
	const bool is_volatile = record_of(ir, x)->flags & LP_SITE_VOLATILE; /* counts where setjmp() is used */
	if (begins(name, "lp_load") || begins(name, "lp_atomic_load")) {
		const lp_ir_value v = load(ir, LLVMTypeOf(x), LLVMGetOperand(x, 1));
		LLVMSetVolatile(v, is_volatile);
		lp_ir_replace(x, v);
	} else if (begins(name, "lp_store") || begins(name, "lp_atomic_store")) {
		LLVMSetVolatile(store(ir, LLVMGetOperand(x, 2), LLVMGetOperand(x, 1)), is_volatile);
		lp_ir_replace(x, NULL);
	} else if (begins(name, "lp_rmw")) {
		plain_rmw(ir, x);
	} else if (begins(name, "lp_cas16")) {
		plain_cas16(ir, x);
	} else if (begins(name, "lp_cas")) {
		plain_cas(ir, x);
	} else if (begins(name, "lp_fill")) {
		LLVMBuildMemSet(ir->builder, LLVMGetOperand(x, 1), LLVMGetOperand(x, 2), LLVMGetOperand(x, 3), 1);
		lp_ir_replace(x, NULL);
	}
}

/* What becomes a plain access now has been checked by the runtime so far. */
static void check_written(struct lp_ir *ir, lp_ir_value f, const struct lp_ir_values *private)
{
	struct lp_ir_values hooked = { 0 };

	for (uint32_t i = 0; i < private->count; i++)
		if (lp_ir_is_hooked(private->at[i]))
			LP_PUSH(&hooked, private->at[i]);
	if (hooked.count)
		lp_ir_check_written(ir, f, &hooked);
	lp_free(hooked.at);
}

void lp_ir_privatise(struct lp_ir *ir)
{
	struct lp_ir_values all = { 0 }, private = { 0 };

	LP_IR_EACH_FUNCTION(ir, f) {
		if (!lp_ir_is_defined(f))
			continue;
		lp_ir_find_private(ir, f, &private);
		lp_ir_keep_fixed(ir, f, &private);
		if (private.count)
			lp_ir_remove_outlived(f, &private);
		if (!private.count)
			continue;
		lp_ir_instructions(f, &all);
		check_written(ir, f, &private);
		for (uint32_t i = 0; i < all.count; i++)
			if (LLVMIsACallInst(all.at[i]))
				privatise(ir, all.at[i], &private);
	}
	lp_free(all.at);
	lp_free(private.at);
}
