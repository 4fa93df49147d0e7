/* lower_steps.c -- the steps of inline assembly as instructions of LLVM's. */
#include "frontend/assembly/lower_assembly.h"
#include "frontend/assembly/lower_parts.h"

#include <stddef.h>
#include <string.h>

LLVMTypeRef lp_lower_integer(const struct lp_lowering *x, unsigned size)
{
	return LLVMIntTypeInContext(x->context, size * 8);
}

uint8_t lp_lower_size(const struct lp_lowering *x, LLVMTypeRef type)
{
	if (!type || !LLVMTypeIsSized(type))
		return 0;
	const unsigned long long size = LLVMABISizeOfType(x->layout, type);
	return size < UINT8_MAX ? (uint8_t)size : UINT8_MAX;
}

LLVMValueRef lp_lower_resize(const struct lp_lowering *x, LLVMValueRef value, unsigned size)
{
	const LLVMTypeRef type = lp_lower_integer(x, size);

	if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) > size * 8)
		return LLVMBuildTrunc(x->builder, value, type, "");
	return LLVMBuildZExtOrBitCast(x->builder, value, type, "");
}

/* ---- registers ---- */

static LLVMValueRef as_integer(const struct lp_lowering *x, LLVMValueRef value)
{
	const LLVMTypeRef type = LLVMTypeOf(value);

	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind:
		return LLVMBuildPtrToInt(x->builder, value, x->i64, "");
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
		return LLVMBuildBitCast(x->builder, value, lp_lower_integer(x, lp_lower_size(x, type)), "");
	default:
		return lp_lower_resize(x, value, lp_lower_size(x, type));
	}
}

LLVMValueRef lp_lower_register(struct lp_lowering *x, uint8_t reg)
{
	if (x->jumps)
		return LLVMBuildLoad2(x->builder, x->i64, lp_lower_variable(x, reg), "");
	if (!x->regs[reg])
		x->regs[reg] = x->inputs[reg] ? as_integer(x, x->inputs[reg]) : LLVMConstInt(x->i64, 0, false);
	return x->regs[reg];
}

static LLVMValueRef get(struct lp_lowering *x, struct lp_asm_value value, unsigned size)
{
	if (value.reg == LP_ASM_NONE)
		return LLVMConstInt(lp_lower_integer(x, size), (unsigned long long)value.number, true);
	return lp_lower_resize(x, lp_lower_register(x, value.reg), size);
}

static void put(struct lp_lowering *x, uint8_t reg, LLVMValueRef value, unsigned size, bool merges)
{
	if (reg == LP_ASM_NONE)
		return;
	const LLVMValueRef old = merges ? lp_lower_register(x, reg) : NULL;
	const unsigned width = old ? LLVMGetIntTypeWidth(LLVMTypeOf(old)) : 0;
	if (width > size * 8) {
		const LLVMValueRef others = LLVMConstInt(LLVMTypeOf(old), ~0ull << (size * 8), false);
		value = LLVMBuildOr(x->builder, LLVMBuildAnd(x->builder, old, others, ""),
				    lp_lower_resize(x, value, width / 8), "");
	}
	if (x->jumps) {
		LLVMBuildStore(x->builder, lp_lower_resize(x, value, 8), lp_lower_variable(x, reg));
		return;
	}
	x->regs[reg] = value;
	x->inputs[reg] = NULL;
}

/* Two halves as one. */
static LLVMValueRef get_pair(struct lp_lowering *x, struct lp_asm_value low, struct lp_asm_value high,
			     unsigned size)
{
	const LLVMTypeRef whole = lp_lower_integer(x, size);
	const LLVMValueRef a = LLVMBuildZExt(x->builder, get(x, low, size / 2), whole, "");
	const LLVMValueRef b = LLVMBuildZExt(x->builder, get(x, high, size / 2), whole, "");
	const LLVMValueRef distance = LLVMConstInt(whole, size * 4, false);

	return LLVMBuildOr(x->builder, a, LLVMBuildShl(x->builder, b, distance, ""), "");
}

static void put_old(struct lp_lowering *x, const struct lp_asm_step *step, LLVMValueRef old)
{
	const unsigned half = step->size / 2u;

	if (step->to_high == LP_ASM_NONE) {
		put(x, step->to, old, step->size, step->merges);
		return;
	}
	const LLVMValueRef distance = LLVMConstInt(LLVMTypeOf(old), half * 8, false);
	const LLVMValueRef high = LLVMBuildLShr(x->builder, old, distance, "");
	put(x, step->to, LLVMBuildTrunc(x->builder, old, lp_lower_integer(x, half), ""), half, false);
	put(x, step->to_high, LLVMBuildTrunc(x->builder, high, lp_lower_integer(x, half), ""), half, false);
}

static LLVMValueRef moved_by(const struct lp_lowering *x, LLVMValueRef pointer, LLVMValueRef bytes)
{
	return LLVMBuildGEP2(x->builder, lp_lower_integer(x, 1), pointer, &bytes, 1, "");
}

static LLVMValueRef address(struct lp_lowering *x, const struct lp_asm_place *place)
{
	const LLVMTypeRef type = LLVMPointerTypeInContext(x->context, 0);
	const struct lp_asm_value whole = { .reg = place->reg };
	LLVMValueRef pointer;

	if (place->operand != LP_ASM_NONE)
		pointer = x->args[place->operand];
	else if (x->inputs[place->reg] && LLVMTypeOf(x->inputs[place->reg]) == type)
		pointer = x->inputs[place->reg];
	else
		pointer = LLVMBuildIntToPtr(x->builder, get(x, whole, 8), type, "");
	if (!place->offset)
		return pointer;
	return moved_by(x, pointer, LLVMConstInt(x->i64, (unsigned long long)place->offset, true));
}

/* ---- steps ---- */

static LLVMAtomicOrdering ordering(uint8_t order)
{
	switch ((enum lp_order)order) {
	case LP_ACQ:
		return LLVMAtomicOrderingAcquire;
	case LP_REL:
		return LLVMAtomicOrderingRelease;
	case LP_ACQREL:
		return LLVMAtomicOrderingAcquireRelease;
	case LP_SC:
		return LLVMAtomicOrderingSequentiallyConsistent;
	default:
		return LLVMAtomicOrderingMonotonic;
	}
}

static LLVMValueRef intrinsic(const struct lp_lowering *x, const char *name, LLVMValueRef *args, unsigned count)
{
	LLVMTypeRef type = LLVMTypeOf(args[0]);
	const unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
	const LLVMValueRef function = LLVMGetIntrinsicDeclaration(x->module, id, &type, 1);

	return LLVMBuildCall2(x->builder, LLVMGlobalGetValueType(function), function, args, count, "");
}

/* The number of a bit of a, or b if it has none. */
static LLVMValueRef found_bit(const struct lp_lowering *x, bool highest, LLVMValueRef a, LLVMValueRef b)
{
	const LLVMTypeRef type = LLVMTypeOf(a), one_bit = LLVMInt1TypeInContext(x->context);
	LLVMValueRef args[2] = { a, LLVMConstInt(one_bit, 0, false) };
	LLVMValueRef zeros = intrinsic(x, highest ? "llvm.ctlz" : "llvm.cttz", args, 2);

	if (highest)
		zeros = LLVMBuildSub(x->builder, LLVMConstInt(type, LLVMGetIntTypeWidth(type) - 1, false), zeros, "");
	const LLVMValueRef none = LLVMBuildICmp(x->builder, LLVMIntEQ, a, LLVMConstNull(type), "");
	return LLVMBuildSelect(x->builder, none, b, zeros, "");
}

static LLVMValueRef compute(const struct lp_lowering *x, enum lp_asm_op op, LLVMValueRef a, LLVMValueRef b)
{
	const LLVMBuilderRef builder = x->builder;

	switch (op) {
	case LP_ASM_ADD:
		return LLVMBuildAdd(builder, a, b, "");
	case LP_ASM_SUB:
		return LLVMBuildSub(builder, a, b, "");
	case LP_ASM_AND:
		return LLVMBuildAnd(builder, a, b, "");
	case LP_ASM_OR:
	case LP_ASM_BIT_SET:
		return LLVMBuildOr(builder, a, b, "");
	case LP_ASM_XOR:
	case LP_ASM_BIT_CHANGE:
		return LLVMBuildXor(builder, a, b, "");
	case LP_ASM_AND_NOT:
	case LP_ASM_BIT_RESET:
		return LLVMBuildAnd(builder, a, LLVMBuildNot(builder, b, ""), "");
	case LP_ASM_NOT:
		return LLVMBuildNot(builder, a, "");
	case LP_ASM_NEG:
		return LLVMBuildNeg(builder, a, "");
	case LP_ASM_BSWAP:
		return intrinsic(x, "llvm.bswap", &a, 1);
	case LP_ASM_LOWEST_BIT:
	case LP_ASM_HIGHEST_BIT:
		return found_bit(x, op == LP_ASM_HIGHEST_BIT, a, b);
	case LP_ASM_MOVE:
		break;
	}
	return a;
}

static void lower_load(struct lp_lowering *x, const struct lp_asm_step *step)
{
	const LLVMValueRef load =
		LLVMBuildLoad2(x->builder, lp_lower_integer(x, step->size), address(x, &step->memory), "");

	LLVMSetAlignment(load, step->size);
	LLVMSetOrdering(load, ordering(step->order));
	LLVMSetVolatile(load, true);
	lp_lower_mark(load);
	put(x, step->to, load, step->size, step->merges);
}

static void lower_store(struct lp_lowering *x, const struct lp_asm_step *step)
{
	const LLVMValueRef store =
		LLVMBuildStore(x->builder, get(x, step->a, step->size), address(x, &step->memory));

	LLVMSetAlignment(store, step->size);
	LLVMSetOrdering(store, ordering(step->order));
	LLVMSetVolatile(store, true);
	lp_lower_mark(store);
}

/* The mask of a bit; *pointer is where it is. */
static LLVMValueRef locate_bit(struct lp_lowering *x, const struct lp_asm_step *step, LLVMValueRef *pointer)
{
	const LLVMTypeRef type = lp_lower_integer(x, step->size);
	const unsigned width = step->size * 8u;
	const LLVMValueRef number = get(x, step->a, step->size);
	const LLVMValueRef bit =
		LLVMBuildAnd(x->builder, number, LLVMConstInt(type, width - 1, false), "");

	if (step->bit_string) {
		const LLVMValueRef word = LLVMBuildSub(x->builder, number, bit, "");
		const LLVMValueRef wide = LLVMBuildSExtOrBitCast(x->builder, word, x->i64, "");
		const LLVMValueRef three = LLVMConstInt(x->i64, 3, false);
		*pointer = moved_by(x, *pointer, LLVMBuildAShr(x->builder, wide, three, ""));
	}
	return LLVMBuildShl(x->builder, LLVMConstInt(type, 1, false), bit, "");
}

static LLVMAtomicRMWBinOp rmw_of(enum lp_asm_op op)
{
	switch (op) {
	case LP_ASM_ADD:
		return LLVMAtomicRMWBinOpAdd;
	case LP_ASM_SUB:
		return LLVMAtomicRMWBinOpSub;
	case LP_ASM_AND:
	case LP_ASM_AND_NOT:
	case LP_ASM_BIT_RESET:
		return LLVMAtomicRMWBinOpAnd;
	case LP_ASM_OR:
	case LP_ASM_BIT_SET:
		return LLVMAtomicRMWBinOpOr;
	case LP_ASM_XOR:
	case LP_ASM_BIT_CHANGE:
		return LLVMAtomicRMWBinOpXor;
	default:
		return LLVMAtomicRMWBinOpXchg;
	}
}

static void lower_rmw(struct lp_lowering *x, const struct lp_asm_step *step, struct lp_lowered *made)
{
	LLVMValueRef pointer = address(x, &step->memory), operand;

	if (step->op >= LP_ASM_BIT_SET)
		operand = made->mask = locate_bit(x, step, &pointer);
	else if (step->to_high != LP_ASM_NONE)
		operand = get_pair(x, step->a, step->a_high, step->size);
	else
		operand = get(x, step->a, step->size);
	made->right = operand;
	if (step->op == LP_ASM_AND_NOT || step->op == LP_ASM_BIT_RESET)
		operand = LLVMBuildNot(x->builder, operand, "");
	made->left = LLVMBuildAtomicRMW(x->builder, rmw_of(step->op), pointer, operand,
					ordering(step->order), false);
	lp_lower_mark(made->left);
	put_old(x, step, made->left);
}

static void lower_cas(struct lp_lowering *x, const struct lp_asm_step *step, struct lp_lowered *made)
{
	const bool wide = step->to_high != LP_ASM_NONE;
	const LLVMValueRef expected = wide ? get_pair(x, step->a, step->a_high, step->size)
					   : get(x, step->a, step->size);
	const LLVMValueRef wanted = wide ? get_pair(x, step->b, step->b_high, step->size)
					 : get(x, step->b, step->size);
	const LLVMValueRef cas = LLVMBuildAtomicCmpXchg(x->builder, address(x, &step->memory), expected,
							wanted, ordering(step->order),
							ordering(step->fail_order), false);

	lp_lower_mark(cas);
	made->wrote = LLVMBuildExtractValue(x->builder, cas, 1, "");
	put_old(x, step, LLVMBuildExtractValue(x->builder, cas, 0, ""));
}

static void lower_set(struct lp_lowering *x, const struct lp_asm_step *step, struct lp_lowered *made)
{
	made->left = get(x, step->a, step->size);
	made->right = get(x, step->b, step->size);
	made->result = compute(x, step->op, made->left, made->right);
	put(x, step->to, made->result, step->size, step->merges);
}

static LLVMValueRef carry_of(const struct lp_lowering *x, enum lp_asm_op op, const struct lp_lowered *made)
{
	const LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(made->left));

	switch (op) {
	case LP_ASM_ADD:
		return LLVMBuildICmp(x->builder, LLVMIntULT, made->result, made->left, "");
	case LP_ASM_SUB:
		return LLVMBuildICmp(x->builder, LLVMIntULT, made->left, made->right, "");
	case LP_ASM_NEG:
		return LLVMBuildICmp(x->builder, LLVMIntNE, made->left, zero, "");
	default:
		return LLVMConstInt(LLVMInt1TypeInContext(x->context), 0, false);
	}
}

static LLVMValueRef flag_of(struct lp_lowering *x, const struct lp_asm_step *from, struct lp_lowered *made,
			    enum lp_asm_flag flag)
{
	if (from->kind == LP_ASM_CAS)
		return made->wrote;
	const LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(made->left));
	if (made->mask) {
		const LLVMValueRef bit = LLVMBuildAnd(x->builder, made->left, made->mask, "");
		return LLVMBuildICmp(x->builder, LLVMIntNE, bit, zero, "");
	}
	if (!made->result)
		made->result = compute(x, from->op, made->left, made->right);
	switch (flag) {
	case LP_ASM_ZERO:
		return LLVMBuildICmp(x->builder, LLVMIntEQ, made->result, zero, "");
	case LP_ASM_SIGN:
		return LLVMBuildICmp(x->builder, LLVMIntSLT, made->result, zero, "");
	case LP_ASM_CARRY:
		break;
	}
	return carry_of(x, from->op, made);
}

LLVMValueRef lp_lower_flag(struct lp_lowering *x, const struct lp_asm_step *step)
{
	const LLVMValueRef flag =
		flag_of(x, &x->what.steps[step->from], &x->outcomes[step->from], step->flag);

	return step->negated ? LLVMBuildNot(x->builder, flag, "") : flag;
}

static void lower_flag(struct lp_lowering *x, const struct lp_asm_step *step)
{
	const LLVMValueRef flag = lp_lower_flag(x, step);

	put(x, step->to, LLVMBuildZExt(x->builder, flag, lp_lower_integer(x, step->size), ""), step->size,
	    step->merges);
}

/* A register without a value is one whose value does not matter. */
static void lower_if_wrote(struct lp_lowering *x, const struct lp_asm_step *step)
{
	const LLVMValueRef a = get(x, step->a, 8), old = get(x, (struct lp_asm_value){ .reg = step->to }, 8);

	put(x, step->to, LLVMBuildSelect(x->builder, x->outcomes[step->from].wrote, a, old, ""), 8, false);
}

void lp_lower_step(struct lp_lowering *x, uint32_t i)
{
	const struct lp_asm_step *step = &x->what.steps[i];
	struct lp_lowered *made = &x->outcomes[i];

	*made = (struct lp_lowered){ 0 };
	switch ((enum lp_asm_step_kind)step->kind) {
	case LP_ASM_FENCE:
		lp_lower_mark(LLVMBuildFence(x->builder, ordering(step->order), false, ""));
		break;
	case LP_ASM_LOAD:
		lower_load(x, step);
		break;
	case LP_ASM_STORE:
		lower_store(x, step);
		break;
	case LP_ASM_RMW:
		lower_rmw(x, step, made);
		break;
	case LP_ASM_CAS:
		lower_cas(x, step, made);
		break;
	case LP_ASM_SET:
		lower_set(x, step, made);
		break;
	case LP_ASM_GET_FLAG:
		lower_flag(x, step);
		break;
	case LP_ASM_IF_WROTE:
		lower_if_wrote(x, step);
		break;
	case LP_ASM_PLACE:
		lp_lower_place(x, step);
		break;
	case LP_ASM_JUMP:
		lp_lower_jump(x, step);
		break;
	}
}
