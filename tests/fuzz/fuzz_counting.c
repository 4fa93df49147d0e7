/* fuzz_counting.c -- formulae and grammars on counters (docs/counting.md).
 *
 * The first byte chooses which, and for what kind of object; the rest is the text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "check/counting/languages/formula.h"
#include "check/counting/languages/kernel.h"
#include "check/counting/languages/kernel_formula.h"
#include "spec/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const specs[] = { "queue", "stack", "lock", "rwlock", "semaphore", "register" };

/* "name:line:column: what", in one line. */
static void check_message(const char *text)
{
	unsigned line, column;
	int length = 0;

	if (sscanf(text, "name:%u:%u: %n", &line, &column, &length) != 2 || !length || !text[length] ||
	    strchr(text, '\n')) {
		fprintf(stderr, "not a message: %s\n", text);
		abort();
	}
}

/* The formula of a grammar, every line of it. */
static void write_formula(const struct lp_kernel *g)
{
	struct lp_error error = { 0 };
	struct lp_kernel_formula *f = lp_kernel_formula_open(g, 1, &error);
	char text[64]; /* too small for some */

	for (uint32_t v = 0; f && v < lp_kernel_formula_variables(f); v++)
		lp_kernel_formula_meaning(f, v, text, sizeof text);
	for (uint32_t i = 0; f && i < lp_kernel_formula_rows(f); i++) {
		const struct lp_formula_row row = lp_kernel_formula_row(f, i);
		for (uint32_t e = 0; e < row.count; e++)
			lp_kernel_formula_variable(f, row.entries[e].variable, text, sizeof text);
	}
	if (!f && !error.text[0])
		abort();
	lp_kernel_formula_close(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lp_error error = { 0 };
	struct lp_spec spec;

	if (!size || !lp_spec_parse(&spec, specs[data[0] / 2 % 6], &error))
		return 0;
	const char *text = (const char *)data + 1;
	if (data[0] % 2) {
		struct lp_formulae *f = lp_formulae_parse("name", text, size - 1, spec.kind, &error);
		if (!f)
			check_message(error.text);
		else
			lp_formulae_close(f);
	} else {
		struct lp_kernel *g = lp_kernel_parse("name", text, size - 1, spec.kind, &error);
		if (!g)
			check_message(error.text);
		else
			write_formula(g);
		lp_kernel_close(g);
	}
	return 0;
}
