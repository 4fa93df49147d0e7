/* specs.c -- `linchpin specs`: the built-in specifications, from their table. */
#include "cli/commands.h"

#include "base/error.h"
#include "check/txn/txn_spec.h"
#include "report/formats/json.h"
#include "spec/spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = 32 };

static const char *shape_words(enum lp_shape shape)
{
	switch (shape) {
	case LP_NOTHING: return "nothing";
	case LP_VALUE: return "a value";
	case LP_VALUE_OR_EMPTY: return "a value, or empty";
	case LP_SUCCESS: return "nothing or true; false or full if it had no effect";
	case LP_TRUTH: return "true or false";
	case LP_VALUES: return "several values";
	}
	return "";
}

static const char *value_words(int64_t value, char text[NAME_ROOM])
{
	if (value == LP_NIL)
		return "nil";
	snprintf(text, NAME_ROOM, "%" PRId64, value);
	return text;
}

/* "cas(a, b)" */
static const char *signature(const struct lp_method *m, char *text, size_t size)
{
	static const char *const letters[] = { "", "a", "a, b", "a, b, c" };
	char name[NAME_ROOM];

	snprintf(text, size, "%s(%s)", lp_method_name(m, name), letters[m->args]);
	return text;
}

/* What follows the first name. */
static const char *synonyms(const struct lp_method *m)
{
	const char *blank = strchr(m->names, ' ');
	return blank ? blank + 1 : NULL;
}

static void put_short(const struct lp_kind *k)
{
	char name[NAME_ROOM];

	printf("\n  %-16s %s\n", k->name, k->about);
	for (uint32_t m = 0; m < k->method_count; m++)
		printf("%*s%s%s", m ? 0 : 19, "", lp_method_name(&k->methods[m], name),
		       m + 1 < k->method_count ? ", " : "\n");
	for (uint32_t p = 0; p < k->param_count; p++)
		printf("  %16s %s=%s\n", "", k->params[p].name, value_words(k->params[p].fallback, name));
}

static void put_list(void)
{
	puts("built-in specifications:");
	for (uint32_t i = 0; i < lp_kind_count(); i++)
		put_short(lp_kind_at(i));
	put_short(&lp_txn_spec);
	puts("\n'linchpin specs KIND' explains one of them.");
}

static const char *independence_words(enum lp_independence data)
{
	switch (data) {
	case LP_DATA_NONE: return "values have no other meaning than their own";
	case LP_DATA_EQUALITY: return "values are only compared for equality";
	case LP_DATA_ORDER: return "values are only compared with each other";
	}
	return "";
}

static void put_kind(const struct lp_kind *k)
{
	char text[64];

	printf("%s: %s\n%s", k->name, k->about, k->method_count ? "\nmethods:\n" : "");
	for (uint32_t m = 0; m < k->method_count; m++) {
		const struct lp_method *method = &k->methods[m];
		printf("  %-26s returns %s\n", signature(method, text, sizeof text),
		       shape_words(method->result));
		if (synonyms(method))
			printf("  %26s also: %s\n", "", synonyms(method));
	}
	if (k->param_count)
		printf("\nparameters, as in '%s:%s=%s':\n", k->name, k->params[0].name,
		       value_words(k->params[0].fallback ? k->params[0].fallback : 1, text));
	for (uint32_t p = 0; p < k->param_count; p++)
		printf("  %-26s %s (default: %s)\n", k->params[p].name, k->params[p].about,
		       value_words(k->params[p].fallback, text));
	printf("\n%s%s\n", independence_words(k->data),
	       k->by_key ? "; keys are independent of each other" : "");
}

static void json_words(struct lp_json *j, const char *words)
{
	lp_json_begin(j, "names", '[');
	while (*words) {
		char word[NAME_ROOM];
		const int length = (int)strcspn(words, " ");
		snprintf(word, sizeof word, "%.*s", length, words);
		lp_json_text(j, NULL, word);
		words += length + (words[length] == ' ');
	}
	lp_json_end(j);
}

static void json_kind(struct lp_json *j, const struct lp_kind *k)
{
	static const char *const data[] = { "none", "equality", "order" };
	char text[NAME_ROOM];

	lp_json_begin(j, NULL, '{');
	lp_json_text(j, "kind", k->name);
	lp_json_text(j, "about", k->about);
	lp_json_text(j, "data", data[k->data]);
	lp_json_bool(j, "by_key", k->by_key);
	lp_json_begin(j, "methods", '[');
	for (uint32_t m = 0; m < k->method_count; m++) {
		lp_json_begin(j, NULL, '{');
		json_words(j, k->methods[m].names);
		lp_json_number(j, "args", k->methods[m].args);
		lp_json_text(j, "result", shape_words(k->methods[m].result));
		lp_json_end(j);
	}
	lp_json_end(j);
	lp_json_begin(j, "params", '[');
	for (uint32_t p = 0; p < k->param_count; p++) {
		lp_json_begin(j, NULL, '{');
		lp_json_text(j, "name", k->params[p].name);
		lp_json_text(j, "default", value_words(k->params[p].fallback, text));
		lp_json_text(j, "about", k->params[p].about);
		lp_json_end(j);
	}
	lp_json_end(j);
	lp_json_end(j);
}

static void put_json(const struct lp_kind *only)
{
	struct lp_json j = lp_json_on(stdout);

	lp_json_begin(&j, NULL, '{');
	lp_json_begin(&j, "specs", '[');
	for (uint32_t i = 0; i < lp_kind_count(); i++)
		if (!only || only == lp_kind_at(i))
			json_kind(&j, lp_kind_at(i));
	if (!only || only == &lp_txn_spec)
		json_kind(&j, &lp_txn_spec);
	lp_json_end(&j);
	lp_json_end(&j);
	putchar('\n');
}

int lp_cli_specs(const struct lp_options *options)
{
	const bool json = options->at[LP_OPT_JSON].given;
	const struct lp_kind *kind = NULL;
	const char *params;
	struct lp_error error = { .hint = "" };

	if (options->operand_count > 1) {
		lp_fail(&error, "only one kind can be explained: '%s' or '%s'?", options->operands[0],
			options->operands[1]);
		return lp_cli_refuse(json, &error);
	}
	if (options->operand_count) {
		kind = lp_txn_spec_is(options->operands[0], &params) ? &lp_txn_spec : lp_kind_named(options->operands[0]);
		if (!kind) {
			lp_kind_refuse(options->operands[0], &error);
			return lp_cli_refuse(json, &error);
		}
	}
	if (json)
		put_json(kind);
	else if (kind)
		put_kind(kind);
	else
		put_list();
	return 0;
}
