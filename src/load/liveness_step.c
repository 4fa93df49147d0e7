/* liveness_step.c -- what instructions have in common: uses, copies, loads and stores. */
#include "load/liveness_step.h"

void x_escape(struct x_step *step)
{
	/* Only in final states: before, everything is merely less known. */
	if (step->effect)
		step->code->escapes = true;
}

void x_bad(struct x_step *step)
{
	if (step->effect)
		step->code->bad = true;
}

void x_use(struct x_step *step, unsigned regs)
{
	if (step->effect)
		step->effect->use |= (uint16_t)(regs & ~BIT(RSP));
}

/* Needed even by a copy that is dead: it is still carried out. */
static void use_address(struct x_step *step, const struct x_operand *op)
{
	if (step->effect) {
		step->effect->always |= (uint16_t)(op->base >= 0 ? BIT(op->base) : 0);
		step->effect->always |= (uint16_t)(op->index >= 0 ? BIT(op->index) : 0);
		step->effect->always &= (uint16_t)~BIT(RSP);
	}
}

void x_read_frame(struct x_step *step, int32_t from, int32_t to)
{
	if (to > ARGUMENT_BYTES && step->effect)
		step->effect->incoming = true;
	if (from < -step->code->depth)
		x_escape(step);
	struct x_effect *e = step->effect;
	if (e) {
		const bool first = e->read_from == e->read_to; /* else cover both */
		e->read_from = first || from < e->read_from ? from : e->read_from;
		e->read_to = first || to > e->read_to ? to : e->read_to;
	}
}

void x_touch_frame(struct x_step *step, int32_t from, int32_t to)
{
	if (from < -step->code->depth)
		x_escape(step);
	if (step->effect) {
		step->effect->touch_from = from;
		step->effect->touch_to = to;
	}
}

void x_write_frame(struct x_step *step, int32_t from, int32_t to)
{
	x_touch_frame(step, from, to);
	if (step->effect) {
		step->effect->write_from = from;
		step->effect->write_to = to;
	}
}

void x_define(struct x_step *step, int reg, unsigned size, struct value v)
{
	struct value *now = &step->state->reg[reg];

	*now = size == 8 ? v : size == 4 ? x_other : x_value_blur(*now);
	if (step->effect && reg != RSP) {
		step->effect->def |= (uint16_t)BIT(reg);
		if (size >= 4)
			step->effect->kill |= (uint16_t)BIT(reg);
	}
}

void x_set_faint(struct x_step *step, const struct x_operand *to)
{
	if (step->effect && !(to->kind == X_REG && to->reg == RSP))
		step->effect->faint = true;
}

bool x_is_frame(struct x_step *step, const struct x_operand *op, int32_t *at)
{
	const struct value base = op->base >= 0 ? step->state->reg[op->base] : x_other;
	const struct value index = op->index >= 0 ? step->state->reg[op->index] : x_other;

	use_address(step, op);
	if (base.kind == STACK && op->index == NO_REG && !op->far_ &&
	    op->number >= -MAX_DEPTH * 4 && op->number <= MAX_DEPTH * 4) {
		*at = base.at + (int32_t)op->number;
		return true;
	}
	if (x_is_stack(base) || x_is_stack(index))
		x_escape(step);
	return false;
}

/* The value of a register operand that is copied as a whole. */
static struct value copy_of(struct x_step *step, const struct x_operand *op)
{
	const struct value v = step->state->reg[op->reg];

	x_use(step, BIT(op->reg));
	if (op->size == 8)
		return v;
	if (x_is_stack(v) && op->size > 1)
		x_escape(step); /* a part of an address; nobody makes one from bytes */
	return x_other;
}

struct value x_load(struct x_step *step, int32_t at, unsigned size)
{
	x_read_frame(step, at, at + (int32_t)size);
	if (x_state_has_stack(step->state, at, at + (int32_t)size, true))
		x_escape(step);
	if (size != 8)
		return x_other;
	const struct value v = x_state_slot(step->state, at);
	/* What has escaped may have been overwritten. */
	return x_is_stack(v) && step->code->escapes ? x_maybe : v;
}

static void keep_in_slot(struct x_step *step, int32_t at, struct value v)
{
	if (!x_state_remember(step->state, at, v))
		step->code->escapes = true;
}

void x_store(struct x_step *step, int32_t at, unsigned size, struct value v)
{
	x_write_frame(step, at, at + (int32_t)size);
	if (v.kind == ENTRY && step->effect)
		step->effect->touch_to = step->effect->touch_from; /* a save is no argument */
	if (size == 8) {
		keep_in_slot(step, at, v);
	} else {
		x_state_forget(step->state, at, at + (int32_t)size);
		if (x_is_stack(v))
			x_escape(step);
	}
}

void x_compute_with(struct x_step *step, const struct x_operand *op)
{
	if (op->kind == X_REG && op->reg >= 0) {
		x_use(step, BIT(op->reg));
		if (x_is_stack(step->state->reg[op->reg]) && op->size > 1)
			x_escape(step);
	}
}

struct value x_source(struct x_step *step, const struct x_operand *op, bool *frame)
{
	int32_t at;

	*frame = true;
	if (op->kind == X_REG)
		return copy_of(step, op);
	if (op->kind == X_IMM)
		return x_other;
	*frame = x_is_frame(step, op, &at);
	return *frame ? x_load(step, at, op->size) : x_other;
}

void x_copy(struct x_step *step, const struct x_operand *to, struct value v, bool faint)
{
	int32_t at;

	if (to->kind == X_REG) {
		x_define(step, to->reg, to->size, v);
	} else if (x_is_frame(step, to, &at)) {
		x_store(step, at, to->size, v);
	} else {
		faint = false;
		if (x_is_stack(v))
			x_escape(step);
	}
	if (faint)
		x_set_faint(step, to);
}
