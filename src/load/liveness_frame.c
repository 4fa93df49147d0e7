/* liveness_frame.c -- where things are on the stack: a forward analysis.
 *
 * Follows stack addresses and the caller's registers through registers and slots, as
 * described in liveness_state.h.
 *
 * A stack address escapes where it is used in any way but these: to access memory at
 * a known offset, to make another known address, in a comparison, to be kept in a
 * register or in the frame.  Once that happens anywhere in the function, which bytes
 * of the frame are meant cannot be told: an object's extent is not in the code, and
 * compilers bias pointers beyond both of its ends.  So the whole frame, and
 * the stack arguments, are live for good (x_code.escapes).
 *
 * That loads from the frame through unknown pointers need no attention follows by
 * induction: an unknown pointer into this frame would have had to escape first.
 *
 * The values also prove that a function restores its caller's registers, and tell
 * where they are until then.  A save slot is nobody's object: stores through pointers
 * do not change it in a program that keeps within its objects.
 */
#include "load/liveness_step.h"

static void move(struct x_step *step, const struct x_insn *x)
{
	bool frame;
	const struct value v = x_source(step, &x->op[1], &frame);

	x_copy(step, &x->op[0], x->class_ == X_MOVE ? v : x_other, frame);
	if (x->class_ != X_MOVE && x_is_stack(v))
		x_escape(step);
}

static void lea(struct x_step *step, const struct x_insn *x)
{
	const struct x_operand *op = &x->op[1];
	struct value base = op->base >= 0 ? step->state->reg[op->base] : x_other;
	const struct value index = op->index >= 0 ? step->state->reg[op->index] : x_other;

	if (op->base >= 0)
		x_use(step, BIT(op->base));
	if (op->index >= 0)
		x_use(step, BIT(op->index));
	if (x_is_stack(base) || x_is_stack(index)) {
		if (op->index != NO_REG || op->far_ || x->op[0].size != 8 ||
		    op->number < -MAX_DEPTH * 4 || op->number > MAX_DEPTH * 4) {
			x_escape(step);
			base = x_maybe;
		} else if (base.kind == STACK) {
			base.at += (int32_t)op->number;
		}
	} else {
		base = x_other;
	}
	x_define(step, x->op[0].reg, x->op[0].size, base);
	x_set_faint(step, &x->op[0]);
}

static void adjust(struct x_step *step, const struct x_insn *x)
{
	const int reg = x->op[0].reg;
	struct value v = step->state->reg[reg];
	const int64_t number = x->op[1].number;

	x_use(step, BIT(reg));
	if (v.kind == STACK && number >= -MAX_DEPTH * 4 && number <= MAX_DEPTH * 4)
		v.at += (int32_t)number;
	else
		v = x_is_stack(v) ? x_maybe : x_other;
	if (v.kind == MAYBE)
		x_escape(step);
	x_define(step, reg, 8, v);
}

static void compare(struct x_step *step, const struct x_insn *x)
{
	int32_t at;

	for (unsigned i = 0; i < x->operands; i++) {
		const struct x_operand *op = &x->op[i];
		if (op->kind == X_REG && op->reg >= 0)
			x_use(step, BIT(op->reg));
		else if (op->kind == X_MEM && x_is_frame(step, op, &at))
			x_read_frame(step, at, at + op->size); /* an address read here goes nowhere */
	}
}

/* Reads all its operands; writes some of them. */
static void calculate(struct x_step *step, const struct x_insn *x)
{
	const unsigned implicit = x->implicit & ~BIT(RSP);
	int32_t at;

	x_use(step, implicit);
	for (unsigned i = 0; i < x->operands; i++) {
		const struct x_operand *op = &x->op[i];
		x_compute_with(step, op);
		if (op->kind == X_MEM && x_is_frame(step, op, &at)) {
			const int32_t to = at + (op->size ? op->size : 8);
			x_read_frame(step, at, to);
			if (x_state_has_stack(step->state, at, to, false))
				x_escape(step);
			if (i < x->written) {
				x_touch_frame(step, at, to);
				x_state_forget(step->state, at, to);
			}
		}
	}
	for (unsigned r = 0; r < GPRS; r++)
		if (implicit & BIT(r))
			step->state->reg[r] = x_value_blur(step->state->reg[r]);
	for (unsigned i = 0; i < x->operands && i < x->written; i++)
		if (x->op[i].kind == X_REG && x->op[i].reg >= 0)
			step->state->reg[x->op[i].reg] = x_value_blur(step->state->reg[x->op[i].reg]);
}

static void vector_move(struct x_step *step, const struct x_insn *x)
{
	int32_t at;

	if (x->op[0].kind == X_MEM && x_is_frame(step, &x->op[0], &at)) {
		x_write_frame(step, at, at + x->op[0].size);
		x_state_forget(step->state, at, at + x->op[0].size);
	} else if (x->op[1].kind == X_MEM && x_is_frame(step, &x->op[1], &at)) {
		x_read_frame(step, at, at + x->op[1].size);
		if (x_state_has_stack(step->state, at, at + x->op[1].size, false))
			x_escape(step);
	}
}

static void set_byte(struct x_step *step, const struct x_insn *x)
{
	int32_t at;

	if (x->op[0].kind == X_REG)
		x_define(step, x->op[0].reg, 1, x_other);
	else if (x_is_frame(step, &x->op[0], &at))
		x_store(step, at, 1, x_other);
}

/* An instruction of which nothing is assumed but that it leaves alone the
 * callee-saved registers that it does not mention, and the frame unless
 * it is given an address in it. */
static void odd(struct x_step *step, const struct x_insn *x)
{
	unsigned regs = x->implicit | CALLER_SAVED;

	for (unsigned i = 0; i < x->operands; i++) {
		const struct x_operand *op = &x->op[i];
		regs |= op->reg >= 0 ? BIT(op->reg) : 0;
		regs |= op->base >= 0 ? BIT(op->base) : 0;
		regs |= op->index >= 0 ? BIT(op->index) : 0;
	}
	if (regs & BIT(RSP) && x->class_ == X_ODD)
		x_bad(step);
	x_use(step, regs | BIT(RBX));
	for (unsigned r = 0; r < GPRS; r++) {
		if (!(regs & BIT(r)))
			continue;
		if (x_is_stack(step->state->reg[r]))
			x_escape(step);
		step->state->reg[r] = x_value_blur(step->state->reg[r]);
	}
}

static void push(struct x_step *step, const struct x_insn *x)
{
	bool frame;
	const struct value v = x_source(step, &x->op[0], &frame);
	struct value *rsp = &step->state->reg[RSP];

	if (rsp->kind == STACK) {
		rsp->at -= 8;
		x_store(step, rsp->at, 8, v);
		if (frame && step->effect)
			step->effect->faint = true;
	} else if (x_is_stack(v)) {
		x_escape(step);
	}
}

static void pop(struct x_step *step, const struct x_insn *x)
{
	struct value *rsp = &step->state->reg[RSP];
	struct value v = { MAYBE, 0 };
	const bool known = rsp->kind == STACK;

	if (x->op[0].kind == X_REG && x->op[0].reg == RSP)
		x_bad(step);
	if (known) {
		v = x_load(step, rsp->at, 8);
		rsp->at += 8; /* before the destination's address is computed */
	} else {
		x_escape(step);
	}
	x_copy(step, &x->op[0], v, known);
}

static void leave(struct x_step *step)
{
	static const struct x_insn pop_rbp = {
		.class_ = X_POP, .operands = 1, .op = { { .kind = X_REG, .size = 8, .reg = RBP } }
	};

	if (step->effect) /* rsp needs it even if the restored rbp is dead */
		step->effect->always |= BIT(RBP);
	step->state->reg[RSP] = step->state->reg[RBP];
	if (step->state->reg[RSP].kind != STACK)
		x_bad(step);
	pop(step, &pop_rbp);
}

static void transfer(struct x_step *step, const struct x_insn *x, uint32_t index)
{
	const struct value rsp = step->state->reg[RSP];

	switch (x->class_) {
	case X_MOVE:
	case X_EXTEND:
		move(step, x);
		break;
	case X_LEA:
		lea(step, x);
		break;
	case X_ADJUST:
		adjust(step, x);
		break;
	case X_ZERO:
		x_define(step, x->op[0].reg, 8, x_other);
		break;
	case X_COMPARE:
		compare(step, x);
		break;
	case X_SET:
		set_byte(step, x);
		break;
	case X_ALU:
	case X_VECTOR:
		calculate(step, x);
		break;
	case X_VMOVE:
		vector_move(step, x);
		break;
	case X_STRING:
	case X_ODD:
		odd(step, x);
		break;
	case X_PUSH:
		push(step, x);
		break;
	case X_POP:
		pop(step, x);
		break;
	case X_LEAVE:
		leave(step);
		break;
	case X_CALL:
		x_call(step, x, index);
		break;
	case X_RETURN:
		if (x->operands)
			x_bad(step); /* it pops its arguments */
		x_leave_function(step);
		break;
	case X_JUMP:
	case X_BRANCH: {
		const struct x_target target = x_code_target(step->code, x);
		x_use(step, x->implicit);
		if (target.kind != TO_INSIDE)
			x_tail_call(step, x, &target);
		break;
	}
	case X_NOTHING:
	case X_STOP:
		break;
	default:
		x_bad(step);
		break;
	}
	if (step->state->reg[RSP].kind == STACK && !x_is_equal(step->state->reg[RSP], rsp))
		x_state_drop_popped(step->state);
}

/* The deepest that the frame can be, not counting loops that push. */
static void estimate_depth(struct x_code *code)
{
	int64_t depth = 128 + 8; /* the red zone, the return address */

	for (uint32_t i = 0; i < code->insns.count; i++) {
		const struct x_insn *x = &code->insns.at[i];
		if (x->class_ == X_PUSH)
			depth += 8;
		else if (x->class_ == X_ADJUST && x->op[0].reg == RSP && x->op[1].number < 0)
			depth -= x->op[1].number;
		else if (x->class_ == X_LEA && x->op[0].reg == RSP && x->op[1].number < 0)
			depth -= x->op[1].number;
		if (depth > MAX_DEPTH) {
			depth = MAX_DEPTH;
			code->escapes = true;
			break;
		}
	}
	code->depth = (int32_t)((depth + 63) / 64 * 64);
}

static void run_block(struct x_code *code, const struct x_block *block, struct state *s, bool final)
{
	for (uint32_t i = block->first; i < block->first + block->count; i++) {
		struct x_step step = { code, final ? &code->effects.at[i] : NULL, s };
		transfer(&step, &code->insns.at[i], i);
	}
}

/* States grow towards "unknown" only, and have finite height: this ends.  (The
 * bound is for slots that overlap, of which that is not so clear.) */
static void solve_forwards(struct x_code *code, struct state *in)
{
	bool again = true;
	uint32_t rounds = 0;

	for (uint32_t b = 0; b < code->blocks.count; b++)
		in[b].seen = false;
	for (uint32_t b = 0; b < code->blocks.count; b++)
		if (code->insns.at[code->blocks.at[b].first].at == code->function->start)
			x_state_enter(&in[b]);
	while (again) {
		again = false;
		if (++rounds > 1000) {
			code->bad = true;
			return;
		}
		for (uint32_t b = 0; b < code->blocks.count; b++) {
			if (!in[b].seen)
				continue;
			struct state s = in[b];
			run_block(code, &code->blocks.at[b], &s, false);
			for (unsigned n = 0; n < 2; n++)
				if (code->blocks.at[b].next[n] >= 0)
					again |= x_state_merge(&in[code->blocks.at[b].next[n]], &s, &code->escapes);
		}
	}
}

static bool is_touched(const struct x_code *code, int32_t from, int32_t to)
{
	for (uint32_t i = 0; i < code->effects.count; i++) {
		const struct x_effect *e = &code->effects.at[i];
		if (e->touch_from < to && from < e->touch_to)
			return true;
	}
	return false;
}

/* A first stack argument would be at rsp.  If nothing in the function ever writes
 * there, no call from that depth has any. */
static void refute_arguments(struct x_code *code)
{
	for (uint32_t i = 0; i < code->effects.count && !code->escapes; i++) {
		struct x_effect *e = &code->effects.at[i];
		if (e->unknown_arguments && !is_touched(code, e->read_from, e->read_from + 8)) {
			e->unknown_arguments = false;
			e->read_to = e->read_from;
			if (e->site >= 0)
				code->sites.at[e->site].outgoing = false;
		}
	}
}

bool x_code_frame(struct x_code *code)
{
	struct state *in = lp_alloc(code->blocks.count * sizeof *in);
	bool escaped;

	estimate_depth(code);
	do {
		escaped = code->escapes; /* it changes what loads from the frame give */
		solve_forwards(code, in);
		code->effects.count = 0;
		code->sites.count = 0;
		for (uint32_t i = 0; i < code->insns.count; i++)
			LP_PUSH(&code->effects, ((struct x_effect){ .site = -1 }));
		for (uint32_t b = 0; b < code->blocks.count && !code->bad; b++) {
			struct state s = in[b];
			if (s.seen)
				run_block(code, &code->blocks.at[b], &s, true);
		}
	} while (code->escapes != escaped && !code->bad);
	refute_arguments(code);
	lp_free(in);
	return !code->bad;
}
