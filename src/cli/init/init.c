/* init.c -- `linchpin init`: writes a first harness for the given headers. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/init/guess.h"
#include "cli/init/write_harness.h"
#include "report/words.h"
#include "spec/spec.h"

static const char *output_of(const struct lp_options *o, bool cplusplus)
{
	return o->at[LP_OPT_INIT_OUTPUT].given ? o->at[LP_OPT_INIT_OUTPUT].text : cplusplus ? "harness.cc" : "harness.c";
}

/* " queue.c", for each header that has a source beside it. */
static void put_sources(FILE *out, const struct lp_options *o, const char *separator)
{
	static const char *const endings[] = { ".c", ".cc", ".cpp", ".cxx" };

	for (int i = 0; i < o->operand_count; i++) {
		const char *dot = strrchr(o->operands[i], '.');
		char name[PATH_MAX];
		for (size_t e = 0; dot && e < sizeof endings / sizeof *endings; e++) {
			snprintf(name, sizeof name, "%.*s%s", (int)(dot - o->operands[i]), o->operands[i], endings[e]);
			if (access(name, R_OK))
				continue;
			fputs(separator, out);
			lp_words_shell(out, name);
			separator = " ";
			break;
		}
	}
}

static char *command_of(const struct lp_options *o, bool cplusplus)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fputs("linchpin check ", out);
	lp_words_shell(out, output_of(o, cplusplus));
	lp_options_shell_flags(out, o);
	put_sources(out, o, o->flag_count ? " " : " -- ");
	fclose(out);
	return text;
}

/* A harness that is there was perhaps written by hand. */
static FILE *open_output(const struct lp_options *o, struct lp_error *error)
{
	const char *name = o->at[LP_OPT_INIT_OUTPUT].text;
	const int file = name ? open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : dup(STDOUT_FILENO);
	FILE *out = file >= 0 ? fdopen(file, "w") : NULL;

	if (!out)
		lp_fail(error, "cannot write '%s': %s", name ? name : "standard output", strerror(errno));
	return out;
}

/* The header, as the harness includes it: relative to where that is. */
static const char *seen_from(const char *harness, const char *header, struct lp_arena *arena)
{
	char folder[PATH_MAX], real[PATH_MAX], path[2 * PATH_MAX];

	if (!lp_words_folder(harness, folder) || !realpath(header, real))
		return header;
	lp_words_relative(folder, real, path, sizeof path);
	return lp_arena_strdup(arena, path);
}

static bool write_harness(const struct lp_options *o, const struct lp_guess *g, struct lp_error *error)
{
	FILE *out = open_output(o, error);

	if (!out)
		return false;
	char *command = command_of(o, g->declarations->cplusplus);
	const char **headers = lp_alloc(sizeof *headers * (size_t)o->operand_count);
	struct lp_arena arena = { 0 };
	for (int i = 0; i < o->operand_count; i++)
		headers[i] = seen_from(output_of(o, false), o->operands[i], &arena);
	const unsigned questions = lp_harness_write(out, g, headers, o->operand_count, command);
	lp_arena_close(&arena);
	lp_free(headers);
	free(command);
	if (fclose(out))
		return lp_fail(error, "cannot write the harness: %s", strerror(errno));
	if (o->at[LP_OPT_INIT_OUTPUT].given)
		printf("%s: %s%s%s, %u question%s\n", o->at[LP_OPT_INIT_OUTPUT].text, g->kind ? "a " : "of no kind that is known",
		       g->kind ? g->kind->name : "", g->type ? ", one object" : "", questions, questions == 1 ? "" : "s");
	return true;
}

int lp_cli_init(const struct lp_options *options)
{
	struct lp_declarations declarations = { .count = 0 };
	struct lp_guess guess = { .at = NULL };
	struct lp_error error = { .hint = "" };
	bool good = options->operand_count || lp_fail(&error, "no header given: linchpin init FILE.h");

	if (good && lp_declarations_open(&declarations, options, &error)) {
		lp_guess(&guess, &declarations, options->operands[0]);
		good = declarations.count || lp_fail(&error, "'%s' declares no functions", options->operands[0]);
		good = good && write_harness(options, &guess, &error);
	} else {
		good = false;
	}
	lp_guess_close(&guess);
	lp_declarations_close(&declarations);
	return good ? 0 : lp_cli_refuse(false, &error);
}
