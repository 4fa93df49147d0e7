/* describe.c -- a description of inline assembly as a line of text. */
#include "describe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct line {
	char *text;
	size_t size, length;
};

static void add(struct line *l, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	const int n = vsnprintf(l->text + l->length, l->size - l->length, format, list);
	va_end(list);
	l->length += (size_t)n < l->size - l->length ? (size_t)n : l->size - l->length - 1;
}

static void add_register(struct line *l, uint8_t reg)
{
	if (reg >= 62)
		add(l, "t%d", reg - 62);
	else if (reg >= 32)
		add(l, "$%d", reg - 32);
	else
		add(l, "r%d", reg);
}

static void add_value(struct line *l, struct lp_asm_value value)
{
	add(l, " ");
	if (value.reg == LP_ASM_NONE)
		add(l, "%lld", (long long)value.number);
	else
		add_register(l, value.reg);
}

static void add_place(struct line *l, const struct lp_asm_place *place)
{
	add(l, " [");
	if (place->operand == LP_ASM_NONE)
		add_register(l, place->reg);
	else
		add(l, "m%d", place->operand);
	if (place->offset)
		add(l, "%+lld", (long long)place->offset);
	add(l, "]");
}

static void add_target(struct line *l, const struct lp_asm_step *step)
{
	if (step->to == LP_ASM_NONE)
		return;
	add_register(l, step->to);
	if (step->to_high != LP_ASM_NONE) {
		add(l, ":");
		add_register(l, step->to_high);
	}
	add(l, step->merges ? " <- " : " = ");
}

static const char *const orders[] = { "plain", "rlx", "acq", "rel", "acqrel", "sc" };
static const char *const ops[] = { "mov", "add", "sub", "and", "or", "xor", "andnot", "not", "neg",
				   "bswap", "bsf", "bsr", "bts", "btr", "btc" };
static const char *const flags[] = { "zero", "carry", "sign" };

static void add_atomic(struct line *l, const struct lp_asm_step *step)
{
	const bool wide = step->to_high != LP_ASM_NONE, cas = step->kind == LP_ASM_CAS;

	add_target(l, step);
	add(l, "%s%s%d", cas ? "cas" : step->op == LP_ASM_MOVE ? "xchg" : ops[step->op],
	    step->bit_string ? "*" : "", step->size);
	add_place(l, &step->memory);
	add_value(l, step->a);
	if (wide)
		add_value(l, step->a_high);
	if (cas)
		add_value(l, step->b);
	if (cas && wide)
		add_value(l, step->b_high);
	add(l, " %s", orders[step->order]);
	if (cas)
		add(l, "/%s", orders[step->fail_order]);
}

static void add_step(struct line *l, const struct lp_asm_step *step)
{
	switch ((enum lp_asm_step_kind)step->kind) {
	case LP_ASM_FENCE:
		add(l, "fence %s", orders[step->order]);
		break;
	case LP_ASM_LOAD:
		add_target(l, step);
		add(l, "load%d", step->size);
		add_place(l, &step->memory);
		add(l, " %s", orders[step->order]);
		break;
	case LP_ASM_STORE:
		add(l, "store%d", step->size);
		add_place(l, &step->memory);
		add_value(l, step->a);
		add(l, " %s", orders[step->order]);
		break;
	case LP_ASM_RMW:
	case LP_ASM_CAS:
		add_atomic(l, step);
		break;
	case LP_ASM_SET:
		add_target(l, step);
		add(l, "%s%d", ops[step->op], step->size);
		add_value(l, step->a);
		if ((step->op >= LP_ASM_ADD && step->op <= LP_ASM_AND_NOT) || step->op == LP_ASM_LOWEST_BIT || step->op == LP_ASM_HIGHEST_BIT)
			add_value(l, step->b);
		break;
	case LP_ASM_GET_FLAG:
		add_target(l, step);
		add(l, "%s%s #%d", step->negated ? "not " : "", flags[step->flag], step->from);
		break;
	case LP_ASM_PLACE:
		add(l, "@%d", step->label);
		break;
	case LP_ASM_JUMP:
		if (step->from != LP_ASM_NONE)
			add(l, "if %s%s #%d ", step->negated ? "not " : "", flags[step->flag], step->from);
		add(l, "go @%d", step->label);
		break;
	case LP_ASM_IF_WROTE:
		add(l, "if #%d ", step->from);
		add_register(l, step->to);
		add(l, " =");
		add_value(l, step->a);
		break;
	}
}

void describe(const struct lp_asm *a, char *text, size_t size)
{
	struct line l = { text, size, 0 };

	add(&l, "%s", a->step_count ? "" : a->barrier ? "barrier" : "nothing");
	for (uint32_t i = 0; i < a->step_count; i++) {
		add(&l, "%s", i ? "; " : "");
		add_step(&l, &a->steps[i]);
	}
	for (uint32_t i = 0; i < a->operand_count; i++)
		if (a->operands[i].undefined)
			add(&l, "; $%u unknown", i);
}
