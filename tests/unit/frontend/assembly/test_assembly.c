/* test_assembly.c -- inline assembly, and the operations as which it is understood: the rows of assembly.def. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"

static const struct row {
	int line;
	enum lp_asm_target target;
	bool intel, is_volatile;
	const char *code, *constraints, *sizes, *expected;
} rows[] = {
#define X86(code, constraints, sizes, expected) \
	{ __LINE__, LP_ASM_X86_64, false, true, code, constraints X86_CLOBBERS, sizes, expected },
#define X86_PURE(code, constraints, sizes, expected) \
	{ __LINE__, LP_ASM_X86_64, false, false, code, constraints X86_CLOBBERS, sizes, expected },
#define INTEL(code, constraints, sizes, expected) \
	{ __LINE__, LP_ASM_X86_64, true, true, code, constraints X86_CLOBBERS, sizes, expected },
#define ARM(code, constraints, sizes, expected) \
	{ __LINE__, LP_ASM_AARCH64, false, true, code, constraints, sizes, expected },
#define X86_CLOBBERS "~{dirflag},~{fpsr},~{flags}"
#include "assembly.def"
};

/* "4 8" */
static uint32_t read_sizes(const char *text, uint8_t *sizes)
{
	uint32_t count = 0;

	for (char *end; *text; text = end + strspn(end, " "))
		sizes[count++] = (uint8_t)strtoul(text, &end, 10);
	return count;
}

/* "!reason" is a part of why it is not understood. */
static bool is_expected(const struct row *row, bool understood, const char *got)
{
	if (row->expected[0] == '!')
		return !understood && row->expected[1] && strstr(got, row->expected + 1);
	return understood && !strcmp(got, row->expected);
}

int main(void)
{
	const size_t count = sizeof rows / sizeof *rows;
	int failures = 0, refused = 0;

	for (size_t i = 0; i < count; i++) {
		uint8_t sizes[LP_ASM_OPERANDS];
		const struct lp_asm_text text = {
			.target = rows[i].target, .code = rows[i].code, .constraints = rows[i].constraints,
			.is_volatile = rows[i].is_volatile, .intel = rows[i].intel, .sizes = sizes,
			.size_count = read_sizes(rows[i].sizes, sizes),
		};
		struct lp_asm got;
		char line[1000];
		const bool understood = lp_asm_parse(&text, &got);
		if (understood)
			describe(&got, line, sizeof line);
		refused += !understood;
		if (is_expected(&rows[i], understood, understood ? line : got.trouble))
			continue;
		failures++;
		printf("assembly.def:%d: %s\n  expected: %s\n  got:      %s%s\n", rows[i].line, rows[i].code,
		       rows[i].expected, understood ? "" : "!", understood ? line : got.trouble);
	}
	printf("%zu rows, %d of them not understood, %d failures\n", count, refused, failures);
	return failures || count < 120;
}
