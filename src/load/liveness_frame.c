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
#include "load/liveness_code.h"
#include "load/liveness_state.h"

/* One step: the function, the state to change, and the instruction's effect to
 * describe, NULL until the states are final. */
struct step {
	struct x_code *code;
	struct x_effect *effect;
	struct state *state;
};

static void escape(struct step *step)
{
	/* Only in final states: before, everything is merely less known. */
	if (step->effect)
		step->code->escapes = true;
}

static void bad(struct step *step)
{
	if (step->effect)
		step->code->bad = true;
}

static void use(struct step *step, unsigned regs)
{
	if (step->effect)
		step->effect->use |= (uint16_t)(regs & ~BIT(RSP));
}

/* Needed even by a copy that is dead: it is still carried out. */
static void use_address(struct step *step, const struct x_operand *op)
{
	if (step->effect) {
		step->effect->always |= (uint16_t)(op->base >= 0 ? BIT(op->base) : 0);
		step->effect->always |= (uint16_t)(op->index >= 0 ? BIT(op->index) : 0);
		step->effect->always &= (uint16_t)~BIT(RSP);
	}
}

static void read_frame(struct step *step, int32_t from, int32_t to)
{
	if (to > ARGUMENT_BYTES && step->effect)
		step->effect->incoming = true;
	if (from < -step->code->depth)
		escape(step);
	struct x_effect *e = step->effect;
	if (e) {
		const bool first = e->read_from == e->read_to; /* else cover both */
		e->read_from = first || from < e->read_from ? from : e->read_from;
		e->read_to = first || to > e->read_to ? to : e->read_to;
	}
}

static void touch_frame(struct step *step, int32_t from, int32_t to)
{
	if (from < -step->code->depth)
		escape(step);
	if (step->effect) {
		step->effect->touch_from = from;
		step->effect->touch_to = to;
	}
}

static void write_frame(struct step *step, int32_t from, int32_t to)
{
	touch_frame(step, from, to);
	if (step->effect) {
		step->effect->write_from = from;
		step->effect->write_to = to;
	}
}

static void define(struct step *step, int reg, unsigned size, struct value v)
{
	struct value *now = &step->state->reg[reg];

	*now = size == 8 ? v : size == 4 ? x_other : x_value_blur(*now);
	if (step->effect && reg != RSP) {
		step->effect->def |= (uint16_t)BIT(reg);
		if (size >= 4)
			step->effect->kill |= (uint16_t)BIT(reg);
	}
}

/* Without use if what it defines is dead; rsp never is. */
static void set_faint(struct step *step, const struct x_operand *to)
{
	if (step->effect && !(to->kind == X_REG && to->reg == RSP))
		step->effect->faint = true;
}

/* Does the operand address the frame at a known offset?  Notes the registers
 * used, and the escape if it addresses the frame somehow else. */
static bool is_frame(struct step *step, const struct x_operand *op, int32_t *at)
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
		escape(step);
	return false;
}

/* The value of a register operand that is copied as a whole. */
static struct value copy_of(struct step *step, const struct x_operand *op)
{
	const struct value v = step->state->reg[op->reg];

	use(step, BIT(op->reg));
	if (op->size == 8)
		return v;
	if (x_is_stack(v) && op->size > 1)
		escape(step); /* a part of an address; nobody makes one from bytes */
	return x_other;
}

/* Loads `size` bytes of the frame as a value. */
static struct value load(struct step *step, int32_t at, unsigned size)
{
	read_frame(step, at, at + (int32_t)size);
	if (x_state_has_stack(step->state, at, at + (int32_t)size, true))
		escape(step);
	if (size != 8)
		return x_other;
	const struct value v = x_state_slot(step->state, at);
	/* What has escaped may have been overwritten. */
	return x_is_stack(v) && step->code->escapes ? x_maybe : v;
}

static void keep_in_slot(struct step *step, int32_t at, struct value v)
{
	if (!x_state_remember(step->state, at, v))
		step->code->escapes = true;
}

static void store(struct step *step, int32_t at, unsigned size, struct value v)
{
	write_frame(step, at, at + (int32_t)size);
	if (v.kind == ENTRY && step->effect)
		step->effect->touch_to = step->effect->touch_from; /* a save is no argument */
	if (size == 8) {
		keep_in_slot(step, at, v);
	} else {
		x_state_forget(step->state, at, at + (int32_t)size);
		if (x_is_stack(v))
			escape(step);
	}
}

/* Any register operand of `op` is computed with, not just copied. */
static void compute_with(struct step *step, const struct x_operand *op)
{
	if (op->kind == X_REG && op->reg >= 0) {
		use(step, BIT(op->reg));
		if (x_is_stack(step->state->reg[op->reg]) && op->size > 1)
			escape(step);
	}
}

static struct value source(struct step *step, const struct x_operand *op, bool *frame)
{
	int32_t at;

	*frame = true;
	if (op->kind == X_REG)
		return copy_of(step, op);
	if (op->kind == X_IMM)
		return x_other;
	*frame = is_frame(step, op, &at);
	return *frame ? load(step, at, op->size) : x_other;
}

/* Copies into `to`.  Without effect if the copy is dead, provided that no memory
 * besides the frame is touched: that may fault. */
static void copy(struct step *step, const struct x_operand *to, struct value v, bool faint)
{
	int32_t at;

	if (to->kind == X_REG) {
		define(step, to->reg, to->size, v);
	} else if (is_frame(step, to, &at)) {
		store(step, at, to->size, v);
	} else {
		faint = false;
		if (x_is_stack(v))
			escape(step);
	}
	if (faint)
		set_faint(step, to);
}

static void move(struct step *step, const struct x_insn *x)
{
	bool frame;
	const struct value v = source(step, &x->op[1], &frame);

	copy(step, &x->op[0], x->class_ == X_MOVE ? v : x_other, frame);
	if (x->class_ != X_MOVE && x_is_stack(v))
		escape(step);
}

static void lea(struct step *step, const struct x_insn *x)
{
	const struct x_operand *op = &x->op[1];
	struct value base = op->base >= 0 ? step->state->reg[op->base] : x_other;
	const struct value index = op->index >= 0 ? step->state->reg[op->index] : x_other;

	if (op->base >= 0)
		use(step, BIT(op->base));
	if (op->index >= 0)
		use(step, BIT(op->index));
	if (x_is_stack(base) || x_is_stack(index)) {
		if (op->index != NO_REG || op->far_ || x->op[0].size != 8 ||
		    op->number < -MAX_DEPTH * 4 || op->number > MAX_DEPTH * 4) {
			escape(step);
			base = x_maybe;
		} else if (base.kind == STACK) {
			base.at += (int32_t)op->number;
		}
	} else {
		base = x_other;
	}
	define(step, x->op[0].reg, x->op[0].size, base);
	set_faint(step, &x->op[0]);
}

static void adjust(struct step *step, const struct x_insn *x)
{
	const int reg = x->op[0].reg;
	struct value v = step->state->reg[reg];
	const int64_t number = x->op[1].number;

	use(step, BIT(reg));
	if (v.kind == STACK && number >= -MAX_DEPTH * 4 && number <= MAX_DEPTH * 4)
		v.at += (int32_t)number;
	else
		v = x_is_stack(v) ? x_maybe : x_other;
	if (v.kind == MAYBE)
		escape(step);
	define(step, reg, 8, v);
}

static void compare(struct step *step, const struct x_insn *x)
{
	int32_t at;

	for (unsigned i = 0; i < x->operands; i++) {
		const struct x_operand *op = &x->op[i];
		if (op->kind == X_REG && op->reg >= 0)
			use(step, BIT(op->reg));
		else if (op->kind == X_MEM && is_frame(step, op, &at))
			read_frame(step, at, at + op->size); /* an address read here goes nowhere */
	}
}

/* Reads all its operands; writes some of them. */
static void calculate(struct step *step, const struct x_insn *x)
{
	const unsigned implicit = x->implicit & ~BIT(RSP);
	int32_t at;

	use(step, implicit);
	for (unsigned i = 0; i < x->operands; i++) {
		const struct x_operand *op = &x->op[i];
		compute_with(step, op);
		if (op->kind == X_MEM && is_frame(step, op, &at)) {
			const int32_t to = at + (op->size ? op->size : 8);
			read_frame(step, at, to);
			if (x_state_has_stack(step->state, at, to, false))
				escape(step);
			if (i < x->written) {
				touch_frame(step, at, to);
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

static void vector_move(struct step *step, const struct x_insn *x)
{
	int32_t at;

	if (x->op[0].kind == X_MEM && is_frame(step, &x->op[0], &at)) {
		write_frame(step, at, at + x->op[0].size);
		x_state_forget(step->state, at, at + x->op[0].size);
	} else if (x->op[1].kind == X_MEM && is_frame(step, &x->op[1], &at)) {
		read_frame(step, at, at + x->op[1].size);
		if (x_state_has_stack(step->state, at, at + x->op[1].size, false))
			escape(step);
	}
}

static void set_byte(struct step *step, const struct x_insn *x)
{
	int32_t at;

	if (x->op[0].kind == X_REG)
		define(step, x->op[0].reg, 1, x_other);
	else if (is_frame(step, &x->op[0], &at))
		store(step, at, 1, x_other);
}

/* An instruction of which nothing is assumed but that it leaves alone the
 * callee-saved registers that it does not mention, and the frame unless
 * it is given an address in it. */
static void odd(struct step *step, const struct x_insn *x)
{
	unsigned regs = x->implicit | CALLER_SAVED;

	for (unsigned i = 0; i < x->operands; i++) {
		const struct x_operand *op = &x->op[i];
		regs |= op->reg >= 0 ? BIT(op->reg) : 0;
		regs |= op->base >= 0 ? BIT(op->base) : 0;
		regs |= op->index >= 0 ? BIT(op->index) : 0;
	}
	if (regs & BIT(RSP) && x->class_ == X_ODD)
		bad(step);
	use(step, regs | BIT(RBX));
	for (unsigned r = 0; r < GPRS; r++) {
		if (!(regs & BIT(r)))
			continue;
		if (x_is_stack(step->state->reg[r]))
			escape(step);
		step->state->reg[r] = x_value_blur(step->state->reg[r]);
	}
}

static void push(struct step *step, const struct x_insn *x)
{
	bool frame;
	const struct value v = source(step, &x->op[0], &frame);
	struct value *rsp = &step->state->reg[RSP];

	if (rsp->kind == STACK) {
		rsp->at -= 8;
		store(step, rsp->at, 8, v);
		if (frame && step->effect)
			step->effect->faint = true;
	} else if (x_is_stack(v)) {
		escape(step);
	}
}

static void pop(struct step *step, const struct x_insn *x)
{
	struct value *rsp = &step->state->reg[RSP];
	struct value v = { MAYBE, 0 };
	const bool known = rsp->kind == STACK;

	if (x->op[0].kind == X_REG && x->op[0].reg == RSP)
		bad(step);
	if (known) {
		v = load(step, rsp->at, 8);
		rsp->at += 8; /* before the destination's address is computed */
	} else {
		escape(step);
	}
	copy(step, &x->op[0], v, known);
}

static void leave(struct step *step)
{
	static const struct x_insn pop_rbp = {
		.class_ = X_POP, .operands = 1, .op = { { .kind = X_REG, .size = 8, .reg = RBP } }
	};

	if (step->effect) /* rsp needs it even if the restored rbp is dead */
		step->effect->always |= BIT(RBP);
	step->state->reg[RSP] = step->state->reg[RBP];
	if (step->state->reg[RSP].kind != STACK)
		bad(step);
	pop(step, &pop_rbp);
}

static const uint8_t argument_regs[6] = { RDI, RSI, RDX, RCX, R8, R9 };

/* How much the callee reads of the stack above rsp: false if that is unknown. */
static bool stack_bytes(const struct x_code *code, const struct x_target *target,
			const struct lp_call_facts *facts, int32_t *bytes)
{
	*bytes = facts->stack_bytes;
	if (target->kind == TO_FUNCTION) {
		const struct lp_summary summary = code->summary(code->closure, target->callee);
		*bytes = summary.reads_to;
		return !summary.reads_all;
	}
	return facts->no_stack;
}

/* Arguments of a call of, or a jump to, `target`: what is used, what escapes. */
static void pass_arguments(struct step *step, const struct x_target *target,
			   const struct lp_call_facts *facts)
{
	const bool named = target->kind == TO_NAME;
	unsigned regs = 0;

	/* rax counts vector arguments, r10 is the static chain.  A function of the
	 * same object may follow a convention of its own. */
	if (!named)
		regs = CALLER_SAVED;
	else if (facts->arguments == 6)
		regs = BIT(RAX) | BIT(R10) | BIT(R11);
	for (unsigned i = 0; i < facts->arguments; i++)
		regs |= BIT(argument_regs[i]);
	use(step, regs);

	if (facts->pointer >= 0) {
		const unsigned reg = argument_regs[facts->pointer];
		const struct value p = step->state->reg[reg];
		if (p.kind == STACK) {
			/* An object does not reach over the return address. */
			const int32_t end = !facts->reads_on ? p.at + facts->reads :
					    p.at < 0 ? 0 : ARGUMENT_BYTES + 1;

			regs &= ~BIT(reg);
			if (p.at < end)
				read_frame(step, p.at, end);
			if (step->effect)
				step->effect->not_saves = facts->reads_on;
			if (x_state_has_stack(step->state, p.at, p.at + facts->writes, false))
				escape(step); /* it may be there still, or not */
			x_state_forget(step->state, p.at, p.at + facts->writes);
		}
	}
	for (unsigned r = 0; r < GPRS; r++)
		if (regs & BIT(r) && x_is_stack(step->state->reg[r]))
			escape(step);
}

static const uint8_t saved_regs[LP_SAVED_COUNT] = { RBX, RBP, R12, R13, R14, R15 };

/* Where the caller's registers are.  False if one is lost, or in too many places. */
static bool find_saved(const struct state *s, struct x_site *site)
{
	unsigned also = 0;

	for (unsigned i = 0; i < LP_SAVED_COUNT; i++) {
		const struct value want = { ENTRY, saved_regs[i] };
		const bool kept = x_is_equal(s->reg[saved_regs[i]], want);

		site->kept |= (uint8_t)(kept << i);
		for (uint32_t j = 0; j < s->slots; j++) {
			if (!x_is_equal(s->slot[j].holds, want) || s->slot[j].at >= -8)
				continue;
			if (!site->saved[i])
				site->saved[i] = s->slot[j].at;
			else if (also == sizeof site->also / sizeof *site->also)
				return false;
			else
				site->also[also++] = s->slot[j].at;
		}
		if (!kept && !site->saved[i])
			return false;
	}
	return true;
}

static void add_site(struct step *step, const struct x_insn *x, uint32_t index, bool outgoing)
{
	const struct value rsp = step->state->reg[RSP], rbp = step->state->reg[RBP];
	struct x_site site = { .pc = x->at + x->size, .insn = index, .outgoing = outgoing };

	site.rsp_known = rsp.kind == STACK;
	site.rsp = rsp.at;
	site.cfa_from_rbp = !site.rsp_known;
	site.cfa_offset = site.rsp_known ? -rsp.at : -rbp.at;
	site.known = (site.rsp_known || rbp.kind == STACK) && site.cfa_offset % 8 == 0 &&
		     find_saved(step->state, &site);
	for (unsigned r = 0; r < GPRS; r++)
		if (step->state->reg[r].kind == STACK)
			site.pinned |= (uint16_t)BIT(r);
	step->effect->site = (int32_t)step->code->sites.count;
	LP_PUSH(&step->code->sites, site);
}

static void call(struct step *step, const struct x_insn *x, uint32_t index)
{
	const struct x_target target = x_code_target(step->code, x);
	const struct lp_call_facts facts = x_code_facts(step->code, &target);
	const struct value rsp = step->state->reg[RSP];
	bool frame, outgoing;
	int32_t bytes;

	if (x->op[0].kind != X_IMM) {
		/* The address comes from a register or from memory. */
		source(step, &x->op[0], &frame);
	}
	const bool known = stack_bytes(step->code, &target, &facts, &bytes);
	outgoing = !known || bytes > 0;
	if (outgoing && rsp.kind != STACK)
		escape(step);
	else if (!known && step->effect) {
		step->effect->unknown_arguments = true;
		step->effect->not_saves = true;
		step->effect->read_from = rsp.at;
		step->effect->read_to = 0;
	} else if (bytes) {
		read_frame(step, rsp.at, rsp.at + bytes);
		if (x_state_has_stack(step->state, rsp.at, rsp.at + bytes, false))
			escape(step);
	}
	if (!known && rsp.kind == STACK && x_state_has_stack(step->state, rsp.at, 0, false))
		escape(step); /* it may have been passed */
	pass_arguments(step, &target, &facts);

	/* The callee owns everything below rsp, and its stack arguments. */
	if (rsp.kind == STACK) {
		x_state_forget(step->state, INT32_MIN / 2, rsp.at);
		if (known)
			x_state_forget(step->state, rsp.at, rsp.at + bytes);
	}
	for (unsigned r = 0; r < GPRS; r++)
		if (CALLER_SAVED & BIT(r))
			step->state->reg[r] = x_other;
	if (step->effect) {
		step->effect->write_from = -step->code->depth;
		step->effect->write_to = rsp.kind == STACK ? rsp.at : -step->code->depth;
		if (target.kind == TO_NAME) {
			step->effect->def |= CALLER_SAVED;
			step->effect->kill |= CALLER_SAVED;
		}
		/* At a function's very end a call does not return (liveness_code.c). */
		if (facts.returns && lp_image_within(step->code->image, x->at) ==
				     lp_image_within(step->code->image, x->at + x->size))
			add_site(step, x, index, outgoing);
	}
}

/* Leaves the function: the caller's registers must be back in place. */
static void leave_function(struct step *step)
{
	const struct value rsp = step->state->reg[RSP];

	use(step, CALLER_SAVED); /* results, in whatever convention */
	if (rsp.kind != STACK || rsp.at != -8)
		bad(step);
	for (unsigned i = 0; i < LP_SAVED_COUNT; i++)
		if (!x_is_equal(step->state->reg[saved_regs[i]], (struct value){ ENTRY, saved_regs[i] }))
			bad(step);
}

static void tail_call(struct step *step, const struct x_insn *x, const struct x_target *target)
{
	const struct lp_call_facts facts = x_code_facts(step->code, target);
	bool frame;
	int32_t bytes;

	if (x->op[0].kind != X_IMM)
		source(step, &x->op[0], &frame);
	leave_function(step);
	pass_arguments(step, target, &facts);
	/* Its stack arguments are where this function's own were. */
	if (!stack_bytes(step->code, target, &facts, &bytes)) {
		if (step->effect)
			step->effect->incoming = true;
	} else if (bytes) {
		read_frame(step, 0, bytes);
	}
}

static void transfer(struct step *step, const struct x_insn *x, uint32_t index)
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
		define(step, x->op[0].reg, 8, x_other);
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
		call(step, x, index);
		break;
	case X_RETURN:
		if (x->operands)
			bad(step); /* it pops its arguments */
		leave_function(step);
		break;
	case X_JUMP:
	case X_BRANCH: {
		const struct x_target target = x_code_target(step->code, x);
		use(step, x->implicit);
		if (target.kind != TO_INSIDE)
			tail_call(step, x, &target);
		break;
	}
	case X_NOTHING:
	case X_STOP:
		break;
	default:
		bad(step);
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
		struct step step = { code, final ? &code->effects.at[i] : NULL, s };
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
