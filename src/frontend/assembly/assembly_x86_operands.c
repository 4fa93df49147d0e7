/* assembly_x86_operands.c -- registers, numbers and memory, in AT&T's syntax and Intel's. */
#include "frontend/assembly/assembly_x86.h"

#include <string.h>

/* ---- names ---- */

/* As constraints have them; [1] to [4] by size: 1, 2, 4, 8 bytes. */
static const char *const names[16][5] = {
	{ "ax", "al", "ax", "eax", "rax" },      { "cx", "cl", "cx", "ecx", "rcx" },
	{ "dx", "dl", "dx", "edx", "rdx" },      { "bx", "bl", "bx", "ebx", "rbx" },
	{ "sp", "spl", "sp", "esp", "rsp" },     { "bp", "bpl", "bp", "ebp", "rbp" },
	{ "si", "sil", "si", "esi", "rsi" },     { "di", "dil", "di", "edi", "rdi" },
	{ "r8", "r8b", "r8w", "r8d", "r8" },     { "r9", "r9b", "r9w", "r9d", "r9" },
	{ "r10", "r10b", "r10w", "r10d", "r10" }, { "r11", "r11b", "r11w", "r11d", "r11" },
	{ "r12", "r12b", "r12w", "r12d", "r12" }, { "r13", "r13b", "r13w", "r13d", "r13" },
	{ "r14", "r14b", "r14w", "r14d", "r14" }, { "r15", "r15b", "r15w", "r15d", "r15" },
};

uint8_t lp_asm_x86_register(const char *name, uint8_t *size)
{
	for (uint8_t r = 0; r < 16; r++)
		for (int i = 1; i < 5; i++)
			if (!strcmp(name, names[r][i])) {
				*size = (uint8_t)(1 << (i - 1));
				return r;
			}
	return LP_ASM_NONE;
}

bool lp_asm_x86_condition(const char *name, uint8_t *flag, bool *negated)
{
	static const struct {
		const char *name;
		uint8_t flag;
		bool negated;
	} conditions[] = {
		{ "z", LP_ASM_ZERO, false },   { "e", LP_ASM_ZERO, false },
		{ "nz", LP_ASM_ZERO, true },   { "ne", LP_ASM_ZERO, true },
		{ "c", LP_ASM_CARRY, false },  { "b", LP_ASM_CARRY, false },
		{ "nae", LP_ASM_CARRY, false }, { "nc", LP_ASM_CARRY, true },
		{ "nb", LP_ASM_CARRY, true },  { "ae", LP_ASM_CARRY, true },
		{ "s", LP_ASM_SIGN, false },   { "ns", LP_ASM_SIGN, true },
	};

	for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
		if (!strcmp(name, conditions[i].name)) {
			*flag = conditions[i].flag;
			*negated = conditions[i].negated;
			return true;
		}
	return false;
}

/* ---- operands ---- */

bool lp_asm_x86_refuse(const struct lp_asm_x86 *x)
{
	return lp_asm_refuse(x->p, "%.60s", x->text);
}

static uint8_t modified_size(const struct lp_asm_operand *o, char modifier)
{
	switch (modifier) {
	case 'b':
		return 1;
	case 'w':
		return 2;
	case 'k':
		return 4;
	case 'q':
		return 8;
	case '_':
		return o->size == 1 || o->size == 2 || o->size == 4 || o->size == 8 ? o->size : 0;
	default:
		return 0;
	}
}

/* A reference, all of the text. */
static bool read_reference(struct lp_asm_parser *p, const char *text, struct lp_asm_arg *arg)
{
	const uint8_t operand = (uint8_t)(text[1] - 0x80);
	const struct lp_asm_operand *o = &p->out->operands[operand];

	if (text[3])
		return false;
	arg->operand = operand;
	switch (o->kind) {
	case LP_ASM_REGISTER:
	case LP_ASM_EITHER:
		arg->kind = o->only_number ? LP_ASM_ARG_NUMBER : LP_ASM_ARG_REGISTER;
		arg->size = modified_size(o, text[2]);
		arg->value = lp_asm_in(o->reg);
		if (o->only_number) { /* has no size in the text */
			arg->size = 0;
			return text[2] == '_';
		}
		return arg->size;
	case LP_ASM_MEMORY:
		arg->kind = LP_ASM_ARG_MEMORY;
		arg->memory = (struct lp_asm_place){ .operand = operand };
		return strchr("_bwkq", text[2]);
	default:
		return false;
	}
}

/* The register with an address: %rdi, or a reference. */
static bool read_base(struct lp_asm_parser *p, const char *text, struct lp_asm_arg *arg)
{
	struct lp_asm_arg base;
	uint8_t size;

	if (*text == LP_ASM_REFERENCE) {
		if (!read_reference(p, text, &base) || base.kind != LP_ASM_ARG_REGISTER || base.size != 8)
			return false;
		arg->memory.reg = base.value.reg;
		return true;
	}
	if (!p->text->intel && *text++ != '%')
		return false;
	arg->memory.reg = lp_asm_x86_register(text, &size);
	return arg->memory.reg != LP_ASM_NONE && size == 8;
}

/* 8(%rdi) */
static bool read_att_memory(struct lp_asm_parser *p, char *text, struct lp_asm_arg *arg)
{
	char *open = strchr(text, '('), *close = strchr(text, ')');

	if (!open || !close || close[1])
		return false;
	arg->kind = LP_ASM_ARG_MEMORY;
	arg->memory.operand = LP_ASM_NONE;
	*open = *close = '\0';
	return (open == text || lp_asm_number(text, &arg->memory.offset)) && read_base(p, open + 1, arg);
}

static bool read_att(struct lp_asm_parser *p, char *text, struct lp_asm_arg *arg)
{
	switch (*text) {
	case LP_ASM_REFERENCE:
		return read_reference(p, text, arg);
	case '$':
		arg->kind = LP_ASM_ARG_NUMBER;
		arg->value = lp_asm_is(0);
		return lp_asm_number(text + 1, &arg->value.number);
	case '%':
		arg->kind = LP_ASM_ARG_REGISTER;
		arg->value = lp_asm_in(lp_asm_x86_register(text + 1, &arg->size));
		return arg->value.reg != LP_ASM_NONE && arg->value.reg != LP_ASM_SP;
	default:
		return read_att_memory(p, text, arg);
	}
}

/* "dword ptr [rdi + 8]", after the size. */
static bool read_intel_memory(struct lp_asm_parser *p, char *text, struct lp_asm_arg *arg)
{
	const size_t length = strlen(text);
	char base[24];
	size_t used = 0;

	arg->kind = LP_ASM_ARG_MEMORY;
	arg->memory.operand = LP_ASM_NONE;
	if (length < 3 || text[length - 1] != ']')
		return false;
	text[length - 1] = '\0';
	for (text++; *text && *text != '+' && *text != '-' && used + 1 < sizeof base; text++)
		if (*text != ' ')
			base[used++] = *text;
	base[used] = '\0';
	/* "+ 8" */
	char number[24];
	size_t digits = 0;
	for (; *text && digits + 1 < sizeof number; text++)
		if (*text != ' ')
			number[digits++] = *text;
	number[digits] = '\0';
	return !*text && (!digits || lp_asm_number(number, &arg->memory.offset)) &&
	       read_base(p, base, arg);
}

static bool read_intel(struct lp_asm_parser *p, char *text, struct lp_asm_arg *arg)
{
	static const char *const sizes[] = { "byte ptr ", "word ptr ", "dword ptr ", "qword ptr ",
					     "xmmword ptr " };
	uint8_t said = 0;

	for (int i = 0; i < 5; i++)
		if (!strncmp(text, sizes[i], strlen(sizes[i]))) {
			said = (uint8_t)(1 << i);
			text += strlen(sizes[i]);
			text += strspn(text, " ");
			break;
		}
	if (*text == '[' || said) {
		const bool good = *text == '[' ? read_intel_memory(p, text, arg)
					       : *text == LP_ASM_REFERENCE && read_reference(p, text, arg);
		arg->size = said;
		return good && arg->kind == LP_ASM_ARG_MEMORY;
	}
	if (*text == LP_ASM_REFERENCE)
		return read_reference(p, text, arg);
	arg->kind = LP_ASM_ARG_NUMBER;
	arg->value = lp_asm_is(0);
	if (lp_asm_number(text, &arg->value.number))
		return true;
	arg->kind = LP_ASM_ARG_REGISTER;
	arg->value = lp_asm_in(lp_asm_x86_register(text, &arg->size));
	return arg->value.reg != LP_ASM_NONE && arg->value.reg != LP_ASM_SP;
}

bool lp_asm_x86_args(struct lp_asm_x86 *x, char *rest)
{
	char *texts[LP_ASM_ARGS];

	x->count = lp_asm_split(rest, texts);
	if (x->count < 0)
		return lp_asm_x86_refuse(x);
	for (int i = 0; i < x->count; i++) {
		struct lp_asm_arg *arg = &x->args[x->p->text->intel ? x->count - 1 - i : i];
		*arg = (struct lp_asm_arg){ .operand = LP_ASM_NONE };
		if (!(x->p->text->intel ? read_intel : read_att)(x->p, texts[i], arg))
			return lp_asm_x86_refuse(x);
	}
	return true;
}

/* The size is the suffix, or that of the registers; all of them have it. */
bool lp_asm_x86_settle_size(struct lp_asm_x86 *x)
{
	for (int i = 0; i < x->count; i++) {
		if (!x->args[i].size)
			continue;
		/* A number where a register might be has no size in the text. */
		if (x->size && x->size != x->args[i].size)
			return lp_asm_x86_refuse(x);
		x->size = x->args[i].size;
	}
	return (x->size && x->size <= 8) || lp_asm_x86_refuse(x);
}
