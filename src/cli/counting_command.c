/* counting_command.c -- `linchpin counting`: the formula that a grammar gives (docs/counting.md). */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "check/counting/languages/kernel.h"
#include "check/counting/languages/kernel_formula.h"
#include "report/formats/json.h"
#include "spec/spec.h"
#include "verify/task/counting.h"

enum { TEXT_ROOM = 512, DEFAULT_K = 1 };

/* ---- text ---- */

static const char *const part_titles[] = {
	[LP_PART_NAMES] = "each name is replaced as often as it is introduced",
	[LP_PART_START] = "the word ends at one place",
	[LP_PART_CALLS] = "each call takes effect once, at one of its places; a pending one at most once",
	[LP_PART_LETTERS] = "each letter of the word is a call",
};

/* The terms of one sign, "r1 + 2 r3"; `any`: some were put before. */
static bool put_terms(const struct lp_kernel_formula *f, const struct lp_formula_row *row, bool negative, bool any)
{
	for (uint32_t i = 0; i < row->count; i++) {
		const int32_t times = negative ? -row->entries[i].times : row->entries[i].times;
		char name[TEXT_ROOM];
		if (times <= 0)
			continue;
		lp_kernel_formula_variable(f, row->entries[i].variable, name, sizeof name);
		printf("%s", any ? " + " : "");
		if (times > 1)
			printf("%d ", times);
		printf("%s", name);
		any = true;
	}
	return any;
}

static void put_row(const struct lp_kernel_formula *f, const struct lp_formula_row *row)
{
	printf("  ");
	if (row->counted)
		printf("#(%s, %u, %u) %s ", row->label, row->from, row->to, row->at_most ? ">=" : "=");
	if (!put_terms(f, row, false, false))
		printf("0");
	if (!row->counted) {
		printf(" = ");
		if (row->number)
			printf("%lld", (long long)row->number);
		if (!put_terms(f, row, true, row->number != 0) && !row->number)
			printf("0");
	}
	printf("\n");
}

/* The rules of a name: "r1 + r2 = 0". */
static void put_unused(const struct lp_kernel_formula *f, uint32_t name)
{
	bool any = false;

	for (uint32_t r = 0; r < lp_kernel_formula_rules(f); r++)
		if (lp_kernel_formula_left(f, r) == name) {
			printf("%sr%u", any ? " + " : "", r + 1);
			any = true;
		}
	printf(" = 0");
}

/* Is the name introduced by the rule? */
static bool introduces(const struct lp_kernel_formula *f, uint32_t rule, uint32_t name)
{
	return lp_kernel_formula_right(f, rule, 0) == name || lp_kernel_formula_right(f, rule, 1) == name;
}

static void put_reached(const struct lp_kernel_formula *f, uint32_t name)
{
	char text[TEXT_ROOM];
	const uint32_t start = lp_kernel_formula_start(f, name);

	printf("  ");
	put_unused(f, name);
	if (start != UINT32_MAX) {
		lp_kernel_formula_variable(f, start, text, sizeof text);
		printf(" or %s > 0", text);
	}
	for (uint32_t r = 0; r < lp_kernel_formula_rules(f); r++)
		if (introduces(f, r, name) && lp_kernel_formula_left(f, r) != name)
			printf(" or (r%u > 0 and d%u < d%u)", r + 1, lp_kernel_formula_left(f, r) + 1, name + 1);
	printf("\n");
}

static void put_text(const struct lp_kernel_formula *f, const char *kind, unsigned k)
{
	char name[TEXT_ROOM], meaning[TEXT_ROOM];

	printf("Psi of a %s, k = %u: A_%u of a history is right iff there are\n", kind, k, k);
	for (uint32_t v = 0; v < lp_kernel_formula_variables(f); v++) {
		lp_kernel_formula_variable(f, v, name, sizeof name);
		lp_kernel_formula_meaning(f, v, meaning, sizeof meaning);
		printf("  %-6s %s\n", name, meaning);
	}
	for (uint32_t i = 0; i < lp_kernel_formula_names(f); i++) {
		lp_kernel_formula_name(f, i, meaning, sizeof meaning);
		printf("  d%-5u steps to %s\n", i + 1, meaning);
	}
	printf("which are whole numbers from 0 on, such that\n");
	for (uint32_t i = 0; i < lp_kernel_formula_rows(f); i++) {
		const struct lp_formula_row row = lp_kernel_formula_row(f, i);
		if (!i || lp_kernel_formula_row(f, i - 1).part != row.part)
			printf("\n  // %s\n", part_titles[row.part]);
		put_row(f, &row);
	}
	printf("\n  // each name that is replaced is reached from the start\n");
	for (uint32_t i = 0; i < lp_kernel_formula_names(f); i++)
		put_reached(f, i);
}

/* ---- JSON ---- */

static void put_json_row(struct lp_json *j, const struct lp_kernel_formula *f, const struct lp_formula_row *row)
{
	char name[TEXT_ROOM];

	lp_json_begin(j, NULL, '{');
	lp_json_begin(j, "terms", '[');
	for (uint32_t i = 0; i < row->count; i++) {
		lp_kernel_formula_variable(f, row->entries[i].variable, name, sizeof name);
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "variable", name);
		lp_json_real(j, "times", row->entries[i].times);
		lp_json_end(j);
	}
	lp_json_end(j);
	lp_json_text(j, "relation", row->at_most ? "<=" : "=");
	if (row->counted) {
		lp_json_begin(j, "counter", '{');
		lp_json_text(j, "label", row->label);
		lp_json_number(j, "from", row->from);
		lp_json_number(j, "to", row->to);
		lp_json_end(j);
	} else {
		lp_json_real(j, "number", (double)row->number);
	}
	lp_json_end(j);
}

static void put_json_name(struct lp_json *j, const struct lp_kernel_formula *f, uint32_t name)
{
	const uint32_t start = lp_kernel_formula_start(f, name);
	char text[TEXT_ROOM];

	lp_json_begin(j, NULL, '{');
	lp_kernel_formula_name(f, name, text, sizeof text);
	lp_json_text(j, "name", text);
	if (start != UINT32_MAX) {
		lp_kernel_formula_variable(f, start, text, sizeof text);
		lp_json_text(j, "start", text);
	}
	for (int introduced = 0; introduced < 2; introduced++) {
		lp_json_begin(j, introduced ? "introduced_by" : "replaced_by", '[');
		for (uint32_t r = 0; r < lp_kernel_formula_rules(f); r++)
			if (introduced ? introduces(f, r, name) : lp_kernel_formula_left(f, r) == name) {
				lp_kernel_formula_variable(f, r, text, sizeof text);
				lp_json_text(j, NULL, text);
			}
		lp_json_end(j);
	}
	lp_json_end(j);
}

static void put_json(const struct lp_kernel_formula *f, const char *kind, unsigned k)
{
	struct lp_json j = lp_json_on(stdout);
	char text[TEXT_ROOM];

	lp_json_begin(&j, NULL, '{');
	lp_json_text(&j, "kind", kind);
	lp_json_number(&j, "k", k);
	lp_json_begin(&j, "variables", '[');
	for (uint32_t v = 0; v < lp_kernel_formula_variables(f); v++) {
		lp_json_begin(&j, NULL, '{');
		lp_kernel_formula_variable(f, v, text, sizeof text);
		lp_json_text(&j, "name", text);
		lp_kernel_formula_meaning(f, v, text, sizeof text);
		lp_json_text(&j, "meaning", text);
		lp_json_end(&j);
	}
	lp_json_end(&j);
	lp_json_begin(&j, "rows", '[');
	for (uint32_t i = 0; i < lp_kernel_formula_rows(f); i++) {
		const struct lp_formula_row row = lp_kernel_formula_row(f, i);
		put_json_row(&j, f, &row);
	}
	lp_json_end(&j);
	lp_json_begin(&j, "reached", '[');
	for (uint32_t i = 0; i < lp_kernel_formula_names(f); i++)
		put_json_name(&j, f, i);
	lp_json_end(&j);
	lp_json_end(&j);
	putchar('\n');
}

/* ---- the command ---- */

/* The grammar of the file, or of the kind. */
static bool open_grammar(struct lp_counting *c, const struct lp_options *o, const struct lp_spec *spec, struct lp_error *error)
{
	if (o->operand_count)
		return lp_counting_grammar(c, o->operands[0], spec->kind, error);
	char *text = lp_spec_grammar(spec);
	*c = (struct lp_counting){ .file = "grammar" };
	if (!text)
		return lp_fail(error, "no grammar is known for a %s: give one as a file (docs/counting.md)", spec->kind->name);
	c->kernel = lp_kernel_parse(c->file, text, strlen(text), spec->kind, error);
	lp_free(text);
	return c->kernel;
}

int lp_cli_counting(const struct lp_options *o)
{
	const struct lp_option_value *kind = &o->at[LP_OPT_SPEC];
	const unsigned k = o->at[LP_OPT_AK].given ? (unsigned)o->at[LP_OPT_AK].count : DEFAULT_K;
	const bool json = o->at[LP_OPT_JSON].given;
	struct lp_counting counting = { 0 };
	struct lp_kernel_formula *f = NULL;
	struct lp_spec spec;
	struct lp_error error = { 0 };

	if (o->operand_count > 1 || o->flag_count)
		lp_fail(&error, "'linchpin counting' takes one grammar, and no compiler flags");
	else if (!kind->given)
		lp_fail(&error, "the labels of a grammar are those of a specification: give --spec KIND");
	else if (lp_spec_parse(&spec, kind->text, &error) && open_grammar(&counting, o, &spec, &error))
		f = lp_kernel_formula_open(counting.kernel, k, &error);
	if (f && json)
		put_json(f, spec.kind->name, k);
	else if (f)
		put_text(f, spec.kind->name, k);
	const int status = f ? LP_EXIT_VERIFIED : lp_cli_refuse(json, &error);
	lp_kernel_formula_close(f);
	lp_counting_close(&counting);
	return status;
}
