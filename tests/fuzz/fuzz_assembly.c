/* fuzz_assembly.c -- inline assembly: a line of flags (x86 or arm, then i: Intel's syntax, v: volatile), one
 * of constraints, one of sizes ("4 8"), then the template. */
#include <stdlib.h>
#include <string.h>

#include "frontend/assembly/assembly.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool claim)
{
	if (!claim)
		abort();
}

static void look_at_value(struct lp_asm_value value)
{
	require(value.reg == LP_ASM_NONE || value.reg < LP_ASM_REGISTERS);
}

/* Registers, operands and steps that it refers to exist; memory is memory. */
static void look_at_step(const struct lp_asm *a, uint32_t i)
{
	const struct lp_asm_step *step = &a->steps[i];
	const bool accesses = step->kind >= LP_ASM_LOAD && step->kind <= LP_ASM_CAS;

	look_at_value(step->a);
	look_at_value(step->b);
	require(step->to == LP_ASM_NONE || step->to < LP_ASM_REGISTERS);
	require(step->from < i || !i);
	if (accesses && step->memory.operand != LP_ASM_NONE) {
		require(step->memory.operand < a->operand_count);
		require(a->operands[step->memory.operand].kind == LP_ASM_MEMORY);
	} else if (accesses) {
		require(step->memory.reg < LP_ASM_REGISTERS && a->barrier);
	}
	if (accesses)
		require(step->size == 1 || step->size == 2 || step->size == 4 || step->size == 8 ||
			(step->size == 16 && step->to_high != LP_ASM_NONE));
	if (step->kind == LP_ASM_FENCE || (accesses && step->order > LP_RLX))
		require(a->barrier);
}

/* A comment changes nothing. */
static void comment(const struct lp_asm_text *text, const struct lp_asm *a)
{
	const size_t length = strlen(text->code);
	char *longer = malloc(length + 40);
	struct lp_asm_text again = *text;
	struct lp_asm b;

	memcpy(longer, text->code, length);
	strcpy(longer + length, text->target == LP_ASM_X86_64 ? " # ; hlt\n ;" : " // ; hlt\n ;");
	again.code = longer;
	if (length < 1900) { /* there is a limit */
		require(lp_asm_parse(&again, &b));
		require(a->step_count == b.step_count);
		require(!memcmp(a->operands, b.operands, sizeof a->operands));
	}
	free(longer);
}

static char *take_line(char **text)
{
	char *line = *text, *end = strchr(line, '\n');

	*text = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = malloc(size + 1), *rest = copy;
	uint8_t sizes[LP_ASM_OPERANDS];
	struct lp_asm_text text = { .sizes = sizes };
	struct lp_asm a;

	memcpy(copy, data, size);
	copy[size] = '\0';
	const char *flags = take_line(&rest);
	text.target = strstr(flags, "arm") ? LP_ASM_AARCH64 : LP_ASM_X86_64;
	text.intel = strchr(flags, 'i');
	text.is_volatile = strchr(flags, 'v');
	text.constraints = take_line(&rest);
	for (char *list = take_line(&rest), *end; text.size_count < LP_ASM_OPERANDS; list = end) {
		const unsigned long one = strtoul(list, &end, 10);
		if (end == list)
			break;
		sizes[text.size_count++] = (uint8_t)one;
	}
	text.code = rest;
	if (lp_asm_parse(&text, &a)) {
		for (uint32_t i = 0; i < a.step_count; i++)
			look_at_step(&a, i);
		comment(&text, &a);
	} else {
		require(a.trouble[0]);
	}
	free(copy);
	return 0;
}
