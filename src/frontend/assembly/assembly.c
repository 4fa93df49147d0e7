/* assembly.c -- inline assembly: constraints, and the state that the machines' parsers share. */
#include "frontend/assembly/assembly.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/assembly/assembly_parts.h"

/* As they are in the source: %1, %w1. */
static void show_references(char *text)
{
	char *to = text;

	for (const char *c = text; *c; c++) {
		if (*c != LP_ASM_REFERENCE || !c[1] || !c[2]) {
			*to++ = *c & 0x7f;
			continue;
		}
		const int operand = (unsigned char)c[1] - 0x80;
		*to++ = '%';
		if (c[2] != '_')
			*to++ = c[2];
		if (operand >= 10 && to + 1 < c + 3)
			*to++ = (char)('0' + operand / 10);
		*to++ = (char)('0' + operand % 10);
		c += 2;
	}
	*to = '\0';
}

bool lp_asm_refuse(struct lp_asm_parser *p, const char *format, ...)
{
	va_list list;

	if (p->failed)
		return false;
	p->failed = true;
	va_start(list, format);
	vsnprintf(p->out->trouble, sizeof p->out->trouble, format, list);
	va_end(list);
	show_references(p->out->trouble);
	return false;
}

bool lp_asm_number(const char *text, int64_t *number)
{
	char *end;
	const char *digits = text + (*text == '-' || *text == '+');

	if (*digits < '0' || *digits > '9' || strlen(digits) > 18)
		return false;
	*number = strtoll(text, &end, 0);
	return !*end;
}

/* ---- constraints ---- */

static uint8_t machine_register(const struct lp_asm_parser *p, const char *name, uint8_t *size)
{
	return p->text->target == LP_ASM_X86_64 ? lp_asm_x86_register(name, size)
						: lp_asm_arm_register(name, size);
}

static bool clobber(struct lp_asm_parser *p, const char *name)
{
	uint8_t size;
	const uint8_t reg = machine_register(p, name, &size);

	if (!strcmp(name, "memory"))
		p->out->barrier = true;
	else if (!strcmp(name, "cc") || !strcmp(name, "flags"))
		p->cc = true;
	else if (!strcmp(name, "unwind"))
		return lp_asm_refuse(p, "it may unwind");
	else if (reg != LP_ASM_NONE)
		p->regs[reg].clobbered = true;
	return true; /* others are registers that the template cannot mention */
}

/* Letters for values in general registers and for numbers, and for memory. */
static const char *const value_letters[] = { "rqQRlginIJKLMNOesZE", "rgniIJKLMNSZz" };
static const char *const number_letters[] = { "ginIJKLMNOesZE", "gniIJKLMNSZz" };
static const char *const register_letters[] = { "rqQRlg", "rg" };
static const char *const memory_letters[] = { "moVg", "moVQg" };

struct letters {
	bool value, number, reg, memory, other;
};

static void see_letter(const struct lp_asm_parser *p, struct letters *seen, char c)
{
	const int target = p->text->target;
	const bool value = strchr(value_letters[target], c), memory = strchr(memory_letters[target], c);

	seen->value |= value;
	seen->number |= strchr(number_letters[target], c) != NULL;
	seen->reg |= strchr(register_letters[target], c) != NULL;
	seen->memory |= memory;
	seen->other |= !value && !memory;
}

static bool condition_of(struct lp_asm_parser *p, struct lp_asm_operand *o, const char *name)
{
	if (!o->output || o->indirect)
		return lp_asm_refuse(p, "constraint %s", name);
	o->kind = LP_ASM_FLAG_OUT;
	if (p->text->target == LP_ASM_AARCH64 && !strcmp(name, "@cceq"))
		o->flag = LP_ASM_ZERO;
	else if (p->text->target == LP_ASM_AARCH64 && !strcmp(name, "@ccne"))
		o->negated = true;
	else if (p->text->target == LP_ASM_AARCH64 ||
		 !lp_asm_x86_condition(name + 3, &o->flag, &o->negated))
		return lp_asm_refuse(p, "condition %s", name);
	return true;
}

/* {name} */
static bool fixed(struct lp_asm_parser *p, struct lp_asm_operand *o, const char *name)
{
	uint8_t size;

	if (!strncmp(name, "@cc", 3))
		return condition_of(p, o, name);
	const uint8_t reg = machine_register(p, name, &size);
	if (reg != LP_ASM_NONE) {
		o->kind = LP_ASM_REGISTER;
		o->reg = reg;
	}
	return true;
}

/* An input "0" is where output 0 is. */
static bool tie(struct lp_asm_parser *p, struct lp_asm_operand *o, const char *digits)
{
	char *end;
	const unsigned long n = strtoul(digits, &end, 10);

	if (*end || o->output || o->indirect || n >= p->out->operand_count ||
	    !p->out->operands[n].output)
		return lp_asm_refuse(p, "constraint %s", digits);
	const struct lp_asm_operand *to = &p->out->operands[n];
	if (to->kind == LP_ASM_MEMORY || to->kind == LP_ASM_FLAG_OUT)
		return lp_asm_refuse(p, "constraint %s", digits);
	o->kind = to->kind == LP_ASM_EITHER ? LP_ASM_REGISTER : to->kind;
	o->tied = (uint8_t)n;
	o->reg = to->reg;
	return true;
}

/* The letters of a constraint, without what stands before them. */
static bool read_codes(struct lp_asm_parser *p, struct lp_asm_operand *o, char *codes)
{
	struct letters seen = { 0 };
	const size_t length = strlen(codes);

	if (*codes == '{' && length > 2 && codes[length - 1] == '}' && !strchr(codes + 1, '{')) {
		codes[length - 1] = '\0';
		return fixed(p, o, codes + 1);
	}
	if (*codes >= '0' && *codes <= '9')
		return tie(p, o, codes);
	for (const char *c = codes; *c; c++)
		if (*c != '|' && *c != '?' && *c != '!')
			see_letter(p, &seen, *c);
	o->number = seen.number;
	o->only_number = seen.number && !seen.reg && !seen.memory;
	if (seen.other)
		o->kind = LP_ASM_OTHER;
	else if (o->indirect)
		o->kind = !seen.reg ? LP_ASM_MEMORY : o->output ? LP_ASM_EITHER : LP_ASM_OTHER;
	else if (seen.value)
		o->kind = LP_ASM_REGISTER;
	if (o->kind == LP_ASM_MEMORY && !seen.memory)
		o->kind = LP_ASM_OTHER;
	return true;
}

/* What the register of an operand holds at the beginning, and whether it may be written. */
static bool occupy(struct lp_asm_parser *p, const struct lp_asm_operand *o)
{
	struct lp_asm_register *r = &p->regs[o->reg];

	if (o->output) {
		if (r->output || r->clobbered)
			return lp_asm_refuse(p, "two outputs in one register");
		r->output = true;
		r->early = o->early;
	} else if (o->kind != LP_ASM_LABEL) {
		if (r->input)
			return lp_asm_refuse(p, "two inputs in one register");
		r->input = true;
		r->tied = r->output;
		r->known = o->kind == LP_ASM_REGISTER && o->size <= 8 ? o->size : 0;
	}
	return true;
}

static bool read_constraint(struct lp_asm_parser *p, char *text)
{
	const uint32_t n = p->out->operand_count;

	if (text[0] == '~') {
		const size_t length = strlen(text);
		if (text[1] != '{' || text[length - 1] != '}')
			return lp_asm_refuse(p, "constraint %s", text);
		text[length - 1] = '\0';
		return clobber(p, text + 2);
	}
	if (n == LP_ASM_OPERANDS)
		return lp_asm_refuse(p, "too many operands");
	struct lp_asm_operand *o = &p->out->operands[n];
	*o = (struct lp_asm_operand){ .reg = (uint8_t)(LP_ASM_OPERAND_REGISTER + n), .tied = LP_ASM_NONE };
	for (;; text++)
		if (*text == '=')
			o->output = true;
		else if (*text == '*')
			o->indirect = true;
		else if (*text == '&')
			o->early = true;
		else if (*text == '!')
			o->kind = LP_ASM_LABEL;
		else if (*text != '%')
			break;
	/* Labels are operands without a type. */
	o->size = n < p->text->size_count ? p->text->sizes[n] : 0;
	if (o->kind != LP_ASM_LABEL && !read_codes(p, o, text))
		return false;
	p->out->operand_count++;
	if (o->kind == LP_ASM_MEMORY || (o->indirect && o->kind == LP_ASM_OTHER))
		return true; /* the register is that of the address */
	return occupy(p, o);
}

bool lp_asm_constraints(struct lp_asm_parser *p)
{
	char copy[1000];
	bool inputs = false;

	if (strlen(p->text->constraints) >= sizeof copy)
		return lp_asm_refuse(p, "too many constraints");
	strcpy(copy, p->text->constraints);
	/* Clobbers first: they say which registers no operand is in. */
	for (int pass = 0; pass < 2; pass++) {
		char *rest = strcpy(copy, p->text->constraints), *one;
		while (*rest && (one = strsep(&rest, ","))) {
			if ((*one == '~') == (pass == 0) && !read_constraint(p, one))
				return false;
			if (pass && *one == '=' && inputs)
				return lp_asm_refuse(p, "an output after an input");
			inputs |= pass && *one != '=' && *one != '~';
			if (!rest)
				break;
		}
	}
	return true;
}

/* ---- registers ---- */

uint16_t lp_asm_new_id(struct lp_asm_parser *p)
{
	if (p->ids + 1 >= LP_ASM_IDS)
		lp_asm_refuse(p, "too many values");
	else
		p->ids++;
	return p->ids;
}

bool lp_asm_use(struct lp_asm_parser *p, struct lp_asm_value value, uint8_t size)
{
	if (value.reg == LP_ASM_NONE)
		return true;
	const struct lp_asm_register *r = &p->regs[value.reg];
	if (p->loop && !p->loop->written[value.reg])
		p->loop->read[value.reg] = true;
	if (r->known < size)
		return lp_asm_refuse(p, "a register that has no value, or a smaller one, is used");
	if (r->input && !r->output && p->values_lost)
		return lp_asm_refuse(p, "an input is used after an output without '&' was written");
	return true;
}

bool lp_asm_give(struct lp_asm_parser *p, struct lp_asm_result to)
{
	if (to.reg == LP_ASM_NONE)
		return true;
	struct lp_asm_register *r = &p->regs[to.reg];
	if (to.reg < LP_ASM_SPARE && !r->output && !r->clobbered)
		return lp_asm_refuse(p, "a register that is neither an output nor clobbered is written");
	if (r->output && !r->early) {
		p->values_now = true;
		p->addresses_now |= !r->tied;
	}
	if (p->loop)
		p->loop->written[to.reg] = true;
	r->written = true;
	r->known = !to.merges ? 8 : r->known > to.size ? r->known : to.size;
	r->id = lp_asm_new_id(p);
	return !p->failed;
}

/* ---- steps ---- */

struct lp_asm_step *lp_asm_step(struct lp_asm_parser *p, enum lp_asm_step_kind kind)
{
	struct lp_asm_step *step = &p->nowhere;

	if (p->out->step_count == LP_ASM_STEPS)
		lp_asm_refuse(p, "too many statements");
	else
		step = &p->out->steps[p->out->step_count++];
	*step = (struct lp_asm_step){ .kind = (uint8_t)kind, .to = LP_ASM_NONE, .to_high = LP_ASM_NONE,
				      .a = lp_asm_is(0), .b = lp_asm_is(0),
				      .a_high = lp_asm_is(0), .b_high = lp_asm_is(0) };
	return step;
}

static bool has_memory_input(const struct lp_asm *out)
{
	for (uint32_t i = 0; i < out->operand_count; i++)
		if (out->operands[i].kind == LP_ASM_MEMORY && !out->operands[i].output)
			return true;
	return false;
}

/* Without "memory": what is read is an input, what is written an output.  "+m" is both, as is
 * "=m" with "m" of the same variable, whose address we do not compare. */
static bool is_declared(const struct lp_asm *out, const struct lp_asm_place *place, uint8_t size,
			bool reads, bool writes)
{
	if (place->operand == LP_ASM_NONE)
		return false;
	const struct lp_asm_operand *o = &out->operands[place->operand];
	return (!writes || o->output) &&
	       (!reads || !o->output || has_memory_input(out)) && !place->offset &&
	       size <= o->size;
}

bool lp_asm_touch(struct lp_asm_parser *p, const struct lp_asm_place *place, uint8_t size, bool reads,
		  bool writes)
{
	if (!p->text->is_volatile)
		return lp_asm_refuse(p, "not volatile: the compiler may drop, move or repeat it");
	if (!p->out->barrier && !is_declared(p->out, place, size, reads, writes))
		return lp_asm_refuse(p, "memory is accessed that is neither an operand nor clobbered");
	if (place->operand == LP_ASM_NONE)
		return lp_asm_use(p, lp_asm_in(place->reg), 8);
	if (p->addresses_lost)
		return lp_asm_refuse(p, "memory is used after an output without '&' was written");
	return true;
}

bool lp_asm_fence(struct lp_asm_parser *p, enum lp_order order)
{
	const struct lp_asm *out = p->out;

	if (!out->barrier)
		return lp_asm_refuse(p, "a fence without \"memory\": the compiler may move accesses across it");
	if (!p->text->is_volatile)
		return lp_asm_refuse(p, "not volatile: the compiler may drop, move or repeat it");
	if (out->step_count && out->steps[out->step_count - 1].kind == LP_ASM_FENCE &&
	    out->steps[out->step_count - 1].order == order)
		return true;
	lp_asm_step(p, LP_ASM_FENCE)->order = (uint8_t)order;
	return !p->failed;
}

static uint16_t id_of(const struct lp_asm_parser *p, struct lp_asm_value value)
{
	return value.reg == LP_ASM_NONE ? 0 : p->regs[value.reg].id;
}

struct lp_asm_definition lp_asm_definition(const struct lp_asm_parser *p, enum lp_asm_op op, uint8_t size,
					   struct lp_asm_value a, struct lp_asm_value b)
{
	return (struct lp_asm_definition){ .op = (uint8_t)op, .size = size, .a = id_of(p, a), .b = id_of(p, b),
					   .number = a.reg == LP_ASM_NONE ? a.number : b.number };
}

/* The step writes there. */
static void aim(struct lp_asm_step *step, struct lp_asm_result to)
{
	step->to = to.reg;
	step->size = to.size;
	step->merges = to.merges;
}

struct lp_asm_step *lp_asm_set(struct lp_asm_parser *p, struct lp_asm_result to, enum lp_asm_op op, struct lp_asm_value a,
			       struct lp_asm_value b)
{
	const struct lp_asm_definition made = lp_asm_definition(p, op, to.size, a, b);
	struct lp_asm_step *step = lp_asm_step(p, LP_ASM_SET);

	step->op = (uint8_t)op;
	aim(step, to);
	step->a = a;
	step->b = b;
	if (lp_asm_use(p, a, to.size) && lp_asm_use(p, b, to.size) && lp_asm_give(p, to) && to.reg != LP_ASM_NONE) {
		if (op == LP_ASM_MOVE && to.size == 8 && made.a)
			p->regs[to.reg].id = made.a;
		else
			p->defined[p->regs[to.reg].id] = made;
	}
	return step;
}

bool lp_asm_get_flag(struct lp_asm_parser *p, struct lp_asm_result to, enum lp_asm_flag flag, bool negated)
{
	if (p->flag_from[flag] == LP_ASM_NONE)
		return lp_asm_refuse(p, "a flag that has no known value is used");
	struct lp_asm_step *step = lp_asm_step(p, LP_ASM_GET_FLAG);
	step->from = p->flag_from[flag];
	step->flag = (uint8_t)flag;
	step->negated = negated;
	aim(step, to);
	return lp_asm_give(p, to);
}

/* ---- the whole ---- */

/* Is there an input of the same size in this register? */
static bool has_like_input(const struct lp_asm *out, const struct lp_asm_operand *output)
{
	for (uint32_t i = 0; i < out->operand_count; i++) {
		const struct lp_asm_operand *o = &out->operands[i];
		if (!o->output && !o->indirect && o->kind != LP_ASM_LABEL && o->reg == output->reg)
			return o->size == output->size;
	}
	return false;
}

static bool finish_output(struct lp_asm_parser *p, struct lp_asm_operand *o)
{
	const struct lp_asm_register *r = &p->regs[o->reg];

	if (o->kind == LP_ASM_MEMORY || (o->indirect && o->kind == LP_ASM_OTHER))
		return true;
	if (o->kind == LP_ASM_FLAG_OUT)
		return lp_asm_get_flag(p, lp_asm_to(o->reg, 8, false), o->flag, o->negated);
	o->unchanged = !r->written && has_like_input(p->out, o);
	o->undefined = !o->unchanged && (o->kind == LP_ASM_OTHER || !o->size || r->known < o->size);
	if (o->kind == LP_ASM_EITHER && o->undefined)
		return lp_asm_refuse(p, "an output is not written");
	return true;
}

static bool finish(struct lp_asm_parser *p)
{
	for (uint32_t i = 0; i < p->out->operand_count; i++) {
		struct lp_asm_operand *o = &p->out->operands[i];
		if (o->kind == LP_ASM_LABEL)
			return lp_asm_refuse(p, "it may jump");
		if (o->output && !finish_output(p, o))
			return false;
	}
	return true;
}

bool lp_asm_parse(const struct lp_asm_text *text, struct lp_asm *out)
{
	struct lp_asm_parser p = { .text = text, .out = out };

	*out = (struct lp_asm){ 0 };
	for (uint16_t i = 0; i < LP_ASM_REGISTERS; i++)
		p.regs[i].id = (uint16_t)(i + 1);
	p.ids = LP_ASM_REGISTERS;
	memset(p.flag_from, LP_ASM_NONE, sizeof p.flag_from);
	return lp_asm_constraints(&p) && lp_asm_statements(&p) &&
	       (text->target == LP_ASM_X86_64 ? lp_asm_x86(&p) : lp_asm_arm(&p)) && finish(&p) &&
	       !p.failed;
}
