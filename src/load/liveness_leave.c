/* liveness_leave.c -- calls, tail calls and returns: what is passed on, what must be back in
 * its place, and where a call returns to. */
#include "load/liveness_step.h"

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
static void pass_arguments(struct x_step *step, const struct x_target *target,
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
	x_use(step, regs);

	if (facts->pointer >= 0) {
		const unsigned reg = argument_regs[facts->pointer];
		const struct value p = step->state->reg[reg];
		if (p.kind == STACK) {
			/* An object does not reach over the return address. */
			const int32_t end = !facts->reads_on ? p.at + facts->reads :
					    p.at < 0 ? 0 : ARGUMENT_BYTES + 1;

			regs &= ~BIT(reg);
			if (p.at < end)
				x_read_frame(step, p.at, end);
			if (step->effect)
				step->effect->not_saves = facts->reads_on;
			if (x_state_has_stack(step->state, p.at, p.at + facts->writes, false))
				x_escape(step); /* it may be there still, or not */
			x_state_forget(step->state, p.at, p.at + facts->writes);
		}
	}
	for (unsigned r = 0; r < GPRS; r++)
		if (regs & BIT(r) && x_is_stack(step->state->reg[r]))
			x_escape(step);
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

static void add_site(struct x_step *step, const struct x_insn *x, uint32_t index, bool outgoing)
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

void x_call(struct x_step *step, const struct x_insn *x, uint32_t index)
{
	const struct x_target target = x_code_target(step->code, x);
	const struct lp_call_facts facts = x_code_facts(step->code, &target);
	const struct value rsp = step->state->reg[RSP];
	bool frame, outgoing;
	int32_t bytes;

	if (x->op[0].kind != X_IMM) {
		/* The address comes from a register or from memory. */
		x_source(step, &x->op[0], &frame);
	}
	const bool known = stack_bytes(step->code, &target, &facts, &bytes);
	outgoing = !known || bytes > 0;
	if (outgoing && rsp.kind != STACK)
		x_escape(step);
	else if (!known && step->effect) {
		step->effect->unknown_arguments = true;
		step->effect->not_saves = true;
		step->effect->read_from = rsp.at;
		step->effect->read_to = 0;
	} else if (bytes) {
		x_read_frame(step, rsp.at, rsp.at + bytes);
		if (x_state_has_stack(step->state, rsp.at, rsp.at + bytes, false))
			x_escape(step);
	}
	if (!known && rsp.kind == STACK && x_state_has_stack(step->state, rsp.at, 0, false))
		x_escape(step); /* it may have been passed */
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
void x_leave_function(struct x_step *step)
{
	const struct value rsp = step->state->reg[RSP];

	x_use(step, CALLER_SAVED); /* results, in whatever convention */
	if (rsp.kind != STACK || rsp.at != -8)
		x_bad(step);
	for (unsigned i = 0; i < LP_SAVED_COUNT; i++)
		if (!x_is_equal(step->state->reg[saved_regs[i]], (struct value){ ENTRY, saved_regs[i] }))
			x_bad(step);
}

void x_tail_call(struct x_step *step, const struct x_insn *x, const struct x_target *target)
{
	const struct lp_call_facts facts = x_code_facts(step->code, target);
	bool frame;
	int32_t bytes;

	if (x->op[0].kind != X_IMM)
		x_source(step, &x->op[0], &frame);
	x_leave_function(step);
	pass_arguments(step, target, &facts);
	/* Its stack arguments are where this function's own were. */
	if (!stack_bytes(step->code, target, &facts, &bytes)) {
		if (step->effect)
			step->effect->incoming = true;
	} else if (bytes) {
		x_read_frame(step, 0, bytes);
	}
}
