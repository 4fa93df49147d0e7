/* naive_litmus.c -- the naive enumerator alone against published answers.
 *
 *     naive_litmus FILE
 *
 * The file has litmus tests in the language of scripts, each with the number of
 * consistent executions and the set of outcomes that herd7 gives for a model:
 *
 *     test MP+porlxrlxs
 *     expect sc 3 2:r0=0 2:r1=0 | 2:r0=0 2:r1=1 | 2:r0=1 2:r1=1
 *     thread
 *       ...
 *     end
 *
 * `expect race MODEL` asks for a race, `expect norace MODEL` for none.
 */
#include "axioms.h"
#include "naive.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	LP_VEC(char);
};

static void append(struct text *t, const char *more)
{
	const uint32_t size = (uint32_t)strlen(more);

	LP_RESERVE(t, size + 1);
	memcpy(t->at + t->count, more, size + 1);
	t->count += size;
}

static bool find_model(const char *name, enum lp_model *model)
{
	for (int i = 0; i < AXIOM_MODELS; i++)
		if (!strcmp(axiom_model_names[i], name)) {
			*model = (enum lp_model)i;
			return true;
		}
	return false;
}

/* Cuts `list` at " | " and compares it with the outcomes found, as sets. */
static bool same_outcomes(char *list, const struct graph_set *found)
{
	struct graph_set expected = { 0 };

	for (char *next; list && *list; list = next) {
		next = strstr(list, " | ");
		if (next) {
			*next = 0;
			next += 3;
		}
		LP_PUSH(&expected, lp_strdup(list));
	}
	graph_set_sort(&expected);

	bool same = expected.count == found->count;
	for (uint32_t i = 0; same && i < found->count; i++)
		same = !strcmp(expected.at[i], found->at[i]);
	graph_set_drop(&expected);
	return same;
}

/* `claim` is what follows "expect ". */
static bool holds(const struct lp_script *script, char *claim)
{
	char first[16] = "", second[16] = "";
	struct naive_options options = { .plain = true };
	struct naive_result result;
	int skip = 0;
	bool good;

	if (sscanf(claim, "%15s %15s %n", first, second, &skip) < 2)
		return false;
	const bool race = !strcmp(first, "race"), norace = !strcmp(first, "norace");

	if (!find_model(race || norace ? second : first, &options.model))
		return false;
	naive_enumerate(script, &options, &result);
	if (race || norace)
		good = result.race == race;
	else
		good = result.graphs.count == strtoul(second, NULL, 10) &&
		       same_outcomes(claim + skip, &result.outcomes);
	good = good && !result.too_large && !result.stuck && !result.assertion;
	if (!good) {
		printf("  found: %u executions, %u outcomes%s\n", result.graphs.count,
		       result.outcomes.count, result.race ? ", a race" : "");
		for (uint32_t i = 0; i < result.outcomes.count; i++)
			printf("    %s\n", result.outcomes.at[i]);
	}
	naive_result_drop(&result);
	return good;
}

static uint32_t finish_test(const char *name, struct text *body, struct graph_set *claims)
{
	struct lp_error error = { 0 };
	uint32_t failures = 0;
	struct lp_script *script = lp_script_parse(body->count ? body->at : "", &error);

	if (!script) {
		printf("%s: %s\n", name, error.text);
		failures = 1;
	}
	for (uint32_t i = 0; script && i < claims->count; i++) {
		char *claim = lp_strdup(claims->at[i]);
		if (!holds(script, claim)) {
			printf("%s: not so: %s\n", name, claims->at[i]);
			failures++;
		}
		lp_free(claim);
	}
	lp_script_drop(script);
	body->count = 0;
	return failures;
}

int main(int argc, char **argv)
{
	char line[4096], name[200] = "";
	struct text body = { 0 };
	struct graph_set claims = { 0 };
	uint32_t tests = 0, checked = 0, failures = 0;
	FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;

	if (!in) {
		fprintf(stderr, "usage: naive_litmus FILE\n");
		return 2;
	}
	while (fgets(line, sizeof line, in)) {
		char *text = line + strspn(line, " \t");

		text[strcspn(text, "\n")] = 0;
		if (!strncmp(text, "test ", 5)) {
			snprintf(name, sizeof name, "%.190s", text + 5);
		} else if (!strncmp(text, "expect ", 7)) {
			LP_PUSH(&claims, lp_strdup(text + 7));
		} else if (!strcmp(text, "end")) {
			tests++;
			checked += claims.count;
			failures += finish_test(name, &body, &claims);
			graph_set_drop(&claims);
		} else {
			append(&body, text);
			append(&body, "\n");
		}
	}
	fclose(in);
	lp_free(body.at);
	printf("%u tests, %u expectations, %u failures\n", tests, checked, failures);
	return failures || !tests;
}
