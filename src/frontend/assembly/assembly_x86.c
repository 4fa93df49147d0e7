/* assembly_x86.c -- inline assembly of x86-64. */
#include "frontend/assembly/assembly_x86.h"

#include <stdio.h>
#include <string.h>

enum { AX = LP_ASM_AX, CX = LP_ASM_CX, DX = LP_ASM_DX, BX = LP_ASM_BX };

/* ---- flags ---- */

static void forget_flags(struct lp_asm_parser *p)
{
	memset(p->flag_from, LP_ASM_NONE, sizeof p->flag_from);
}

static uint8_t last_step(const struct lp_asm_parser *p)
{
	return (uint8_t)(p->out->step_count - 1);
}

/* What an instruction does to the flags. */
enum effect { KEEPS_FLAGS, KEEPS_CARRY, SETS_FLAGS };

/* To those of the last step. */
static void set_flags(struct lp_asm_parser *p, enum effect effect)
{
	if (effect != KEEPS_FLAGS)
		p->flag_from[LP_ASM_ZERO] = p->flag_from[LP_ASM_SIGN] = last_step(p);
	if (effect == SETS_FLAGS)
		p->flag_from[LP_ASM_CARRY] = last_step(p);
}

/* ---- instructions ---- */

static bool is_register(const struct lp_asm_arg *arg)
{
	return arg->kind == LP_ASM_ARG_REGISTER;
}

/* Moves are ordered on x86-64 as acquiring loads and releasing stores are, which compilers translate
 * into moves; if the compiler keeps their place. */
static uint8_t move_order(const struct lp_asm_x86 *x, bool loads)
{
	return !x->p->out->barrier ? LP_RLX : loads ? LP_ACQ : LP_REL;
}

/* A locked step: with fences around it, if the compiler keeps its place. */
static struct lp_asm_step *begin_locked(struct lp_asm_x86 *x, enum lp_asm_step_kind kind,
					const struct lp_asm_arg *memory, uint8_t size)
{
	lp_asm_touch(x->p, &memory->memory, size, true, true);
	if (x->p->out->barrier)
		lp_asm_fence(x->p, LP_SC);
	struct lp_asm_step *step = lp_asm_step(x->p, kind);
	step->size = size;
	step->memory = memory->memory;
	step->order = step->fail_order = x->p->out->barrier ? LP_SC : LP_RLX;
	return step;
}

static bool end_locked(struct lp_asm_x86 *x)
{
	return !x->p->failed && (!x->p->out->barrier || lp_asm_fence(x->p, LP_SC));
}

/* lock; addl a, memory */
static bool locked_binary(struct lp_asm_x86 *x, enum lp_asm_op op, struct lp_asm_value a,
			  enum effect effect)
{
	struct lp_asm_step *step = begin_locked(x, LP_ASM_RMW, &x->args[x->count - 1], x->size);

	step->op = (uint8_t)op;
	step->a = a;
	set_flags(x->p, effect);
	return lp_asm_use(x->p, a, x->size) && end_locked(x);
}

/* Into a register of our own. */
static struct lp_asm_value load_spare(struct lp_asm_x86 *x, const struct lp_asm_place *memory)
{
	struct lp_asm_step *load = lp_asm_step(x->p, LP_ASM_LOAD);

	load->size = x->size;
	load->memory = *memory;
	load->order = move_order(x, true);
	load->to = LP_ASM_SPARE;
	lp_asm_give(x->p, lp_asm_to(LP_ASM_SPARE, x->size, false));
	return lp_asm_in(LP_ASM_SPARE);
}

/* On memory without a lock: a load, then a store. */
static bool split_binary(struct lp_asm_x86 *x, enum lp_asm_op op, struct lp_asm_value a,
			  enum effect effect)
{
	const struct lp_asm_arg *to = &x->args[x->count - 1];

	if (!lp_asm_touch(x->p, &to->memory, x->size, true, true))
		return false;
	const struct lp_asm_value old = load_spare(x, &to->memory);
	lp_asm_set(x->p, lp_asm_to(LP_ASM_SPARE + 1, x->size, false), op, old, a);
	set_flags(x->p, effect);
	struct lp_asm_step *store = lp_asm_step(x->p, LP_ASM_STORE);
	store->size = x->size;
	store->memory = to->memory;
	store->order = move_order(x, false);
	store->a = lp_asm_in(LP_ASM_SPARE + 1);
	return !x->p->failed;
}

/* lock; addl $0, (%rsp): nothing but a fence, at the top of the stack or around it. */
static bool is_stack_fence(const struct lp_asm_x86 *x, enum lp_asm_op op)
{
	const struct lp_asm_arg *to = &x->args[1], *a = &x->args[0];

	return x->lock && x->count == 2 && to->kind == LP_ASM_ARG_MEMORY &&
	       to->memory.operand == LP_ASM_NONE && to->memory.reg == LP_ASM_SP &&
	       a->kind == LP_ASM_ARG_NUMBER && a->value.number == (op == LP_ASM_AND ? -1 : 0);
}

static bool binary(struct lp_asm_x86 *x, enum lp_asm_op op)
{
	const struct lp_asm_arg *from = &x->args[0], *to = &x->args[1];

	if (x->count != 2 || from->kind == LP_ASM_ARG_MEMORY)
		return lp_asm_x86_refuse(x);
	if (!lp_asm_x86_settle_size(x))
		return false;
	if (is_stack_fence(x, op)) {
		forget_flags(x->p);
		return lp_asm_fence(x->p, LP_SC);
	}
	if (to->kind == LP_ASM_ARG_MEMORY)
		return (x->lock ? locked_binary : split_binary)(x, op, from->value, SETS_FLAGS);
	if (x->lock || !is_register(to))
		return lp_asm_x86_refuse(x);
	if ((op == LP_ASM_XOR || op == LP_ASM_SUB) && is_register(from) &&
	    from->value.reg == to->value.reg) { /* zero, whatever it was */
		forget_flags(x->p);
		lp_asm_set(x->p, lp_asm_to(to->value.reg, x->size, x->size < 4), LP_ASM_MOVE, lp_asm_is(0), lp_asm_is(0));
		return !x->p->failed;
	}
	lp_asm_set(x->p, lp_asm_to(to->value.reg, x->size, x->size < 4), op, to->value, from->value);
	set_flags(x->p, SETS_FLAGS);
	return !x->p->failed;
}

/* inc, dec, not, neg */
static bool unary(struct lp_asm_x86 *x, enum lp_asm_op op, enum effect effect)
{
	const struct lp_asm_arg *to = &x->args[0];
	const struct lp_asm_value one = lp_asm_is(1);

	if (x->count != 1)
		return lp_asm_x86_refuse(x);
	if (!lp_asm_x86_settle_size(x))
		return false;
	if (to->kind == LP_ASM_ARG_MEMORY && !x->lock)
		return split_binary(x, op, one, effect);
	if (to->kind == LP_ASM_ARG_MEMORY && op == LP_ASM_NOT)
		return locked_binary(x, LP_ASM_XOR, lp_asm_is(-1), effect);
	if (to->kind == LP_ASM_ARG_MEMORY && op != LP_ASM_NEG) /* no model has an atomic negation */
		return locked_binary(x, op, one, effect);
	if (x->lock || !is_register(to))
		return lp_asm_x86_refuse(x);
	lp_asm_set(x->p, lp_asm_to(to->value.reg, x->size, x->size < 4), op, to->value, one);
	set_flags(x->p, effect);
	return !x->p->failed;
}

/* cmp and test: flags only. */
static bool compare(struct lp_asm_x86 *x, enum lp_asm_op op)
{
	struct lp_asm_value values[2];
	bool loaded = false;

	if (x->count != 2 || x->lock || !lp_asm_x86_settle_size(x) || x->args[1].kind == LP_ASM_ARG_NUMBER)
		return lp_asm_x86_refuse(x);
	for (int i = 0; i < 2; i++) {
		values[i] = x->args[i].value;
		if (x->args[i].kind != LP_ASM_ARG_MEMORY)
			continue;
		if (loaded || !lp_asm_touch(x->p, &x->args[i].memory, x->size, true, false))
			return lp_asm_x86_refuse(x);
		values[i] = load_spare(x, &x->args[i].memory);
		loaded = true;
	}
	lp_asm_set(x->p, lp_asm_to(LP_ASM_NONE, x->size, false), op, values[1], values[0]);
	set_flags(x->p, SETS_FLAGS);
	return !x->p->failed;
}

/* xadd, and xchg with memory: the register gets the old value. */
static bool fetch(struct lp_asm_x86 *x, enum lp_asm_op op)
{
	struct lp_asm_arg *reg = &x->args[0], *memory = &x->args[1];

	if (op == LP_ASM_MOVE && reg->kind == LP_ASM_ARG_MEMORY) {
		reg = &x->args[1];
		memory = &x->args[0];
	}
	if (!is_register(reg) || memory->kind != LP_ASM_ARG_MEMORY)
		return lp_asm_x86_refuse(x);
	struct lp_asm_step *step = begin_locked(x, LP_ASM_RMW, memory, x->size);
	step->op = (uint8_t)op;
	step->a = reg->value;
	step->to = reg->value.reg;
	step->merges = x->size < 4;
	set_flags(x->p, op == LP_ASM_ADD ? SETS_FLAGS : KEEPS_FLAGS);
	return lp_asm_use(x->p, reg->value, x->size) &&
	       lp_asm_give(x->p, lp_asm_to(reg->value.reg, x->size, x->size < 4)) && end_locked(x);
}

/* An operand that may be in a register or in memory is not atomic in one of the two. */
static bool is_either(const struct lp_asm_x86 *x, const struct lp_asm_arg *arg)
{
	return arg->operand != LP_ASM_NONE && x->p->out->operands[arg->operand].kind == LP_ASM_EITHER;
}

static bool exchange(struct lp_asm_x86 *x)
{
	struct lp_asm_parser *p = x->p;

	if (x->count != 2 || !lp_asm_x86_settle_size(x))
		return lp_asm_x86_refuse(x);
	if (!is_register(&x->args[0]) || !is_register(&x->args[1]))
		return fetch(x, LP_ASM_MOVE);
	if (x->lock || is_either(x, &x->args[0]) || is_either(x, &x->args[1]))
		return lp_asm_x86_refuse(x);
	const struct lp_asm_value a = x->args[0].value, b = x->args[1].value;
	const bool merges = x->size < 4;
	lp_asm_set(p, lp_asm_to(LP_ASM_SPARE, x->size, false), LP_ASM_MOVE, a, lp_asm_is(0));
	lp_asm_set(p, lp_asm_to(a.reg, x->size, merges), LP_ASM_MOVE, b, lp_asm_is(0));
	lp_asm_set(p, lp_asm_to(b.reg, x->size, merges), LP_ASM_MOVE, lp_asm_in(LP_ASM_SPARE), lp_asm_is(0));
	return !p->failed;
}

static bool xadd(struct lp_asm_x86 *x)
{
	if (x->count != 2 || !x->lock)
		return lp_asm_x86_refuse(x);
	return lp_asm_x86_settle_size(x) && fetch(x, LP_ASM_ADD);
}

static bool cmpxchg(struct lp_asm_x86 *x)
{
	struct lp_asm_parser *p = x->p;

	if (x->count != 2 || !x->lock)
		return lp_asm_x86_refuse(x);
	if (!lp_asm_x86_settle_size(x) || !is_register(&x->args[0]) || x->args[1].kind != LP_ASM_ARG_MEMORY)
		return lp_asm_x86_refuse(x);
	struct lp_asm_step *step = begin_locked(x, LP_ASM_CAS, &x->args[1], x->size);
	step->a = lp_asm_in(AX);
	step->b = x->args[0].value;
	step->to = AX;
	step->merges = x->size < 4;
	forget_flags(p);
	p->flag_from[LP_ASM_ZERO] = last_step(p);
	if (!lp_asm_use(p, step->a, x->size) || !lp_asm_use(p, step->b, x->size) ||
	    !lp_asm_give(p, lp_asm_to(AX, x->size, x->size < 4)))
		return false;
	if (x->size == 4) /* the upper half is zero only if it fails */
		p->regs[AX].known = 4;
	return end_locked(x);
}

/* To compare and exchange equal values is a way to load 16 bytes.  Any value will do, even that
 * of a register that has none. */
static bool is_wide_load(const struct lp_asm_parser *p)
{
	return (p->regs[AX].known < 8 || p->regs[DX].known < 8) && p->regs[AX].id == p->regs[BX].id && p->regs[DX].id == p->regs[CX].id;
}

/* cmpxchg16b: the halves have 8 bytes; cmpxchg8b: 4. */
static bool cmpxchg_pair(struct lp_asm_x86 *x, uint8_t half)
{
	struct lp_asm_parser *p = x->p;

	if (x->count != 1 || !x->lock || x->args[0].kind != LP_ASM_ARG_MEMORY ||
	    (x->args[0].size && x->args[0].size != 2 * half))
		return lp_asm_x86_refuse(x);
	const bool loads = half == 8 && is_wide_load(p);
	struct lp_asm_step *step = begin_locked(x, loads ? LP_ASM_RMW : LP_ASM_CAS, &x->args[0],
						(uint8_t)(2 * half));
	forget_flags(p);
	if (loads) {
		step->op = LP_ASM_OR;
	} else {
		step->a = lp_asm_in(AX);
		step->a_high = lp_asm_in(DX);
		step->b = lp_asm_in(BX);
		step->b_high = lp_asm_in(CX);
		p->flag_from[LP_ASM_ZERO] = last_step(p);
		if (!lp_asm_use(p, step->a, half) || !lp_asm_use(p, step->a_high, half) ||
		    !lp_asm_use(p, step->b, half) || !lp_asm_use(p, step->b_high, half))
			return false;
	}
	step->to = AX;
	step->to_high = DX;
	if (!lp_asm_give(p, lp_asm_to(AX, half, false)) || !lp_asm_give(p, lp_asm_to(DX, half, false)))
		return false;
	p->regs[AX].known = p->regs[DX].known = half;
	return end_locked(x);
}

/* bts and the like.  The number of the bit is taken modulo the size if it is an immediate; if it
 * is in a register, it is an index into all of memory. */
static bool bit(struct lp_asm_x86 *x, enum lp_asm_op op)
{
	const struct lp_asm_arg *number = &x->args[0];
	struct lp_asm_parser *p = x->p;

	if (x->count != 2 || !x->lock)
		return lp_asm_x86_refuse(x);
	if (!lp_asm_x86_settle_size(x) || x->size < 2 || x->args[1].kind != LP_ASM_ARG_MEMORY ||
	    number->kind == LP_ASM_ARG_MEMORY)
		return lp_asm_x86_refuse(x);
	struct lp_asm_step *step = begin_locked(x, LP_ASM_RMW, &x->args[1], x->size);
	step->op = (uint8_t)op;
	step->a = number->value;
	step->bit_string = is_register(number);
	if (step->bit_string && !p->out->barrier)
		return lp_asm_refuse(p, "a bit of memory that is neither an operand nor clobbered");
	p->flag_from[LP_ASM_SIGN] = LP_ASM_NONE;
	p->flag_from[LP_ASM_CARRY] = last_step(p);
	return lp_asm_use(p, step->a, x->size) && end_locked(x);
}

/* One side is memory. */
static bool move_memory(struct lp_asm_x86 *x, const struct lp_asm_arg *from, const struct lp_asm_arg *to)
{
	const bool loads = from->kind == LP_ASM_ARG_MEMORY;
	const struct lp_asm_arg *memory = loads ? from : to;

	if (loads && !is_register(to))
		return lp_asm_x86_refuse(x);
	lp_asm_touch(x->p, &memory->memory, x->size, loads, !loads);
	struct lp_asm_step *step = lp_asm_step(x->p, loads ? LP_ASM_LOAD : LP_ASM_STORE);
	step->size = x->size;
	step->memory = memory->memory;
	step->order = move_order(x, loads);
	step->merges = x->size < 4;
	if (!loads) {
		step->a = from->value;
		return lp_asm_use(x->p, from->value, x->size) && !x->p->failed;
	}
	step->to = to->value.reg;
	return lp_asm_give(x->p, lp_asm_to(to->value.reg, x->size, x->size < 4)) && !x->p->failed;
}

/* Two registers are equal, without having a value. */
static bool move_unknown(struct lp_asm_parser *p, uint8_t from, uint8_t to)
{
	if (!lp_asm_give(p, lp_asm_to(to, 8, false)))
		return false;
	p->regs[to].known = 0;
	p->regs[to].id = p->regs[from].id;
	return true;
}

static bool move(struct lp_asm_x86 *x)
{
	if (x->count != 2 || x->lock || !lp_asm_x86_settle_size(x))
		return lp_asm_x86_refuse(x);
	const struct lp_asm_arg *from = &x->args[0], *to = &x->args[1];
	if (from->kind == LP_ASM_ARG_MEMORY || to->kind == LP_ASM_ARG_MEMORY)
		return move_memory(x, from, to);
	if (!is_register(to))
		return lp_asm_x86_refuse(x);
	if (is_register(from) && x->size == 8 && !x->p->regs[from->value.reg].known)
		return move_unknown(x->p, from->value.reg, to->value.reg);
	lp_asm_set(x->p, lp_asm_to(to->value.reg, x->size, x->size < 4), LP_ASM_MOVE, from->value, lp_asm_is(0));
	return !x->p->failed;
}

/* movzbl and the like, between registers. */
static bool move_zero_extended(struct lp_asm_x86 *x, const char *word)
{
	const uint8_t from_size = word[4] == 'b' ? 1 : 2;
	const struct lp_asm_arg *from = &x->args[0], *to = &x->args[1];

	if (x->count != 2 || x->lock || !is_register(from) || !is_register(to) ||
	    from->size != from_size || to->size != (word[5] == 'q' ? 8 : 4))
		return lp_asm_x86_refuse(x);
	lp_asm_set(x->p, lp_asm_to(to->value.reg, from_size, false), LP_ASM_MOVE, from->value, lp_asm_is(0));
	return !x->p->failed;
}

/* setz */
static bool set_on(struct lp_asm_x86 *x, const char *condition)
{
	uint8_t flag;
	bool negated;

	if (x->lock || x->count != 1 || !is_register(&x->args[0]) || x->args[0].size != 1 ||
	    !lp_asm_x86_condition(condition, &flag, &negated))
		return lp_asm_x86_refuse(x);
	return lp_asm_get_flag(x->p, lp_asm_to(x->args[0].value.reg, 1, true), flag, negated);
}

/* sbbl %0,%0: all ones if there is a carry. */
static bool carry_mask(struct lp_asm_x86 *x)
{
	if (x->count != 2 || x->lock || !is_register(&x->args[0]) || !is_register(&x->args[1]) ||
	    x->args[0].value.reg != x->args[1].value.reg || !lp_asm_x86_settle_size(x) || x->size < 4)
		return lp_asm_x86_refuse(x);
	const uint8_t reg = x->args[0].value.reg;
	if (!lp_asm_get_flag(x->p, lp_asm_to(LP_ASM_SPARE, 8, false), LP_ASM_CARRY, false))
		return false;
	forget_flags(x->p);
	lp_asm_set(x->p, lp_asm_to(reg, x->size, false), LP_ASM_NEG, lp_asm_in(LP_ASM_SPARE), lp_asm_is(0));
	return !x->p->failed;
}

/* bsf and bsr: the number of a bit.  If there is none, the register keeps what it had, or, in the upper
 * half, may not; a register that had no value still has none, and any will do.  The zero flag tells
 * whether there is one, and is found out first: both operands may be one register. */
static bool scan_bits(struct lp_asm_x86 *x, enum lp_asm_op op)
{
	struct lp_asm_parser *p = x->p;

	if (x->count != 2 || x->lock || !is_register(&x->args[0]) || !is_register(&x->args[1]) ||
	    !lp_asm_x86_settle_size(x) || x->size < 2)
		return lp_asm_x86_refuse(x);
	const struct lp_asm_value from = x->args[0].value, to = x->args[1].value;
	const bool kept = p->regs[to.reg].known >= x->size;
	lp_asm_set(p, lp_asm_to(LP_ASM_NONE, x->size, false), LP_ASM_AND, from, from);
	forget_flags(p);
	p->flag_from[LP_ASM_ZERO] = last_step(p);
	lp_asm_set(p, lp_asm_to(to.reg, x->size, x->size < 4), op, from, kept ? to : lp_asm_is(0));
	if (x->size == 4)
		p->regs[to.reg].known = 4;
	return !p->failed;
}

static bool swap_bytes(struct lp_asm_x86 *x)
{
	if (x->count != 1 || x->lock || !is_register(&x->args[0]) || !lp_asm_x86_settle_size(x) || x->size < 4)
		return lp_asm_x86_refuse(x);
	lp_asm_set(x->p, lp_asm_to(x->args[0].value.reg, x->size, false), LP_ASM_BSWAP, x->args[0].value,
		   lp_asm_is(0));
	return !x->p->failed;
}

/* ---- statements ---- */

enum what {
	BINARY, STEP, NEGATE, INVERT, XADD, XCHG, CMPXCHG, BIT, SCAN, MOVE, SBB, BSWAP, COMPARE,
};

static const struct mnemonic {
	const char *word;
	uint8_t what, op;
} mnemonics[] = {
	{ "add", BINARY, LP_ASM_ADD },   { "sub", BINARY, LP_ASM_SUB },
	{ "and", BINARY, LP_ASM_AND },   { "or", BINARY, LP_ASM_OR },
	{ "xor", BINARY, LP_ASM_XOR },   { "inc", STEP, LP_ASM_ADD },
	{ "dec", STEP, LP_ASM_SUB }, { "not", INVERT, LP_ASM_NOT },
	{ "neg", NEGATE, LP_ASM_NEG },    { "xadd", XADD, 0 },
	{ "xchg", XCHG, 0 },             { "cmpxchg", CMPXCHG, 0 },
	{ "bts", BIT, LP_ASM_BIT_SET },  { "btr", BIT, LP_ASM_BIT_RESET },
	{ "btc", BIT, LP_ASM_BIT_CHANGE }, { "mov", MOVE, 0 },
	{ "bsf", SCAN, LP_ASM_LOWEST_BIT }, { "bsr", SCAN, LP_ASM_HIGHEST_BIT },
	{ "sbb", SBB, 0 },               { "bswap", BSWAP, 0 },
	{ "cmp", COMPARE, LP_ASM_SUB },  { "test", COMPARE, LP_ASM_AND },
};

/* Finds the mnemonic; *size is the suffix's, or 0. */
static const struct mnemonic *find(const char *word, bool intel, uint8_t *size)
{
	static const char suffixes[] = "bwlq";

	for (size_t i = 0; i < sizeof mnemonics / sizeof *mnemonics; i++) {
		const size_t n = strlen(mnemonics[i].word);
		if (strncmp(word, mnemonics[i].word, n))
			continue;
		*size = 0;
		if (!word[n])
			return &mnemonics[i];
		const char *suffix = strchr(suffixes, word[n]);
		if (!intel && suffix && !word[n + 1]) {
			*size = (uint8_t)(1 << (suffix - suffixes));
			return &mnemonics[i];
		}
	}
	return NULL;
}

static bool execute(struct lp_asm_x86 *x, const struct mnemonic *m)
{
	switch ((enum what)m->what) {
	case BINARY:
		return binary(x, m->op);
	case STEP:
		return unary(x, m->op, KEEPS_CARRY);
	case NEGATE:
		return unary(x, m->op, SETS_FLAGS);
	case INVERT:
		return unary(x, m->op, KEEPS_FLAGS);
	case XADD:
		return xadd(x);
	case XCHG:
		return exchange(x);
	case CMPXCHG:
		return cmpxchg(x);
	case BIT:
		return bit(x, m->op);
	case SCAN:
		return scan_bits(x, m->op);
	case MOVE:
		return move(x);
	case SBB:
		return carry_mask(x);
	case BSWAP:
		return swap_bytes(x);
	case COMPARE:
		return compare(x, m->op);
	}
	return false;
}

static bool is_nothing(const char *word)
{
	return !strcmp(word, "pause") || !strcmp(word, "nop");
}

static bool is_weak_fence(const char *word)
{
	return !strcmp(word, "lfence") || !strcmp(word, "sfence");
}

/* After its prefixes. */
static bool statement(struct lp_asm_x86 *x, const char *word, char *rest)
{
	if (!x->lock && !*rest && is_nothing(word))
		return true;
	if (!x->lock && !*rest && is_weak_fence(word)) /* without "memory", the compiler ignores it */
		return !x->p->out->barrier || lp_asm_fence(x->p, LP_ACQREL);
	if (!x->lock && !*rest && !strcmp(word, "mfence"))
		return lp_asm_fence(x->p, LP_SC);
	const struct mnemonic *m = find(word, x->p->text->intel, &x->size);
	if (!lp_asm_x86_args(x, rest))
		return false;
	if (!strncmp(word, "prefetch", 8))
		return !x->lock || lp_asm_x86_refuse(x);
	if (!strcmp(word, "cmpxchg8b") || !strcmp(word, "cmpxchg16b"))
		return cmpxchg_pair(x, word[7] == '8' ? 4 : 8);
	if (!strncmp(word, "movz", 4) && strlen(word) == 6 && strchr("bw", word[4]) && strchr("lq", word[5]))
		return move_zero_extended(x, word);
	if (!strncmp(word, "set", 3))
		return set_on(x, word + 3);
	return m ? execute(x, m) : lp_asm_x86_refuse(x);
}

/* lock and rep may be statements of their own. */
static char *take_word(char **rest)
{
	char *word = *rest;

	*rest += strcspn(*rest, " ");
	if (**rest)
		*(*rest)++ = '\0';
	*rest += strspn(*rest, " ");
	return word;
}

bool lp_asm_x86(struct lp_asm_parser *p)
{
	bool lock = false, rep = false;

	if (!lp_asm_x86_find_targets(p))
		return false;
	for (uint32_t i = 0; i < p->statement_count; i++) {
		char *word = p->statements[i].word, *rest = p->statements[i].rest, text[80];
		if ((lock || rep) && p->meetings[i].targeted)
			return lp_asm_refuse(p, "a jump to an instruction without its prefix");
		if (!lp_asm_x86_reach(p, i))
			return false;
		while (!strcmp(word, "lock") || !strcmp(word, "rep")) {
			if (lock || rep)
				return lp_asm_refuse(p, "two prefixes");
			lock = *word == 'l';
			rep = !lock;
			word = take_word(&rest);
		}
		if (!*word)
			continue;
		snprintf(text, sizeof text, "%s%s %s", lock ? "lock " : rep ? "rep " : "", word, rest);
		struct lp_asm_x86 x = { .p = p, .text = text, .lock = lock };
		if (rep && strcmp(word, "nop"))
			return lp_asm_x86_refuse(&x);
		p->values_lost |= p->values_now;
		p->addresses_lost |= p->addresses_now;
		if (!(*word == 'j' ? lp_asm_x86_jump(&x, i, word, rest) : statement(&x, word, rest)))
			return lp_asm_x86_refuse(&x);
		lock = rep = false;
	}
	if (lock || rep)
		return lp_asm_refuse(p, "a prefix without an instruction");
	return lp_asm_x86_reach(p, p->statement_count);
}
