/* write_test.c -- the client of a violation as a program of its own: --emit-test.
 *
 * The program includes the object's source by a path that is relative to its own folder, so that both can be moved
 * together.  The command lines that it shows are to be given where `linchpin check` was.
 */
#include "verify/task/write_test.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "frontend/compile/binary.h"
#include "frontend/compile/compile.h"
#include "frontend/compile/job.h"
#include "report/text/emit_test.h"
#include "report/words.h"
#include "verify/task/task.h"

enum { MORE_SAMPLES = 100, PREEMPTIONS_MOST = 1000000 };

bool lp_task_can_write_test(const struct lp_options *o, struct lp_error *error)
{
	const char *name = o->at[LP_OPT_EMIT_TEST].text;

	if (!name || o->operand_count != 1)
		return true;
	if (!lp_job_is_source(name))
		return lp_fail(error, "--emit-test %s: the name of a C or C++ file is expected", name);
	if (lp_job_is_cplusplus(o->operands[0]) && !lp_job_is_cplusplus(name))
		return lp_fail(error, "--emit-test %s: the object is C++, and so is its test: give it a name that ends in .cc", name);
	if (o->at[LP_OPT_MUTANT].given)
		return lp_fail(error, "--emit-test includes the source as it is: not with --mutant");
	return true;
}

/* " -I../include -DX other.c": for other compilers, `sources` apart. */
static void put_flags(FILE *out, const struct lp_task *task)
{
	char include[512], here[PATH_MAX], folder[PATH_MAX], path[2 * PATH_MAX];

	lp_compile_include(include);
	if (include[0] && strcmp(include, "/usr/include") && realpath(include, folder) && lp_words_folder("x", here)) {
		lp_words_relative(here, folder, path, sizeof path);
		fputs(" -I", out);
		lp_words_shell(out, path);
	}
	for (const char *const *flag = task->runtime.flags; flag && *flag; flag++) {
		putc(' ', out);
		lp_words_shell(out, *flag);
	}
}

/* How the violation was looked for is kept where the program could take far longer without.  It may need more preemptions than
 * the execution that was found, since orders that the client adds are part of it: at most one before each access.  So high a
 * bound leaves out little: the program may take as long as without one.  Samples have the results and the orders of the
 * client less often than the violation is hit by samples of any client: more of them are allowed. */
static void put_strategy(FILE *out, const struct lp_task *task, const struct lp_result *r)
{
	const struct lp_option_value *given = task->options->at;
	const uint64_t bound = given[LP_OPT_PREEMPTIONS].count + r->violation->step_count;

	if (given[LP_OPT_PREEMPTIONS].given)
		fprintf(out, " --preemptions %" PRIu64, bound < PREEMPTIONS_MOST ? bound : PREEMPTIONS_MOST);
	if (given[LP_OPT_RANDOM].given)
		fprintf(out, " --random %" PRIu64,
			given[LP_OPT_RANDOM].count < UINT64_MAX / MORE_SAMPLES ? given[LP_OPT_RANDOM].count * MORE_SAMPLES : UINT64_MAX);
	if (given[LP_OPT_SEED].given)
		fprintf(out, " --seed %s", given[LP_OPT_SEED].text);
	if (given[LP_OPT_PCT].given)
		fprintf(out, " --pct %s", given[LP_OPT_PCT].text);
}

static const char *run_command(struct lp_task *task, const struct lp_result *r, const char *name)
{
	char *words = NULL;
	size_t size;
	FILE *out = open_memstream(&words, &size);

	fputs("linchpin run ", out);
	lp_words_shell(out, name);
	lp_options_shell(out, task->options, LP_COMMAND_RUN);
	put_strategy(out, task, r);
	for (const char *const *flag = task->runtime.flags; flag && *flag; flag++) {
		fputs(flag == task->runtime.flags ? " -- " : " ", out);
		lp_words_shell(out, *flag);
	}
	fclose(out);
	const char *kept = lp_arena_strdup(&task->arena, words);
	free(words);
	return kept;
}

static const char *native_command(struct lp_task *task, const char *name)
{
	char *words = NULL;
	size_t size;
	FILE *out = open_memstream(&words, &size);

	fputs(lp_job_is_cplusplus(name) ? "c++ -g -pthread " : "cc -g -pthread ", out);
	lp_words_shell(out, name);
	put_flags(out, task);
	fputs(" -o client", out);
	fclose(out);
	const char *kept = lp_arena_strdup(&task->arena, words);
	free(words);
	return kept;
}

static bool write_file(struct lp_task *task, const struct lp_result *r, const char *name, const char *object)
{
	char folder[PATH_MAX], path[2 * PATH_MAX];
	FILE *out = lp_words_folder(name, folder) ? fopen(name, "w") : NULL;

	if (!out)
		return false;
	lp_words_relative(folder, object, path, sizeof path);
	lp_emit_test(out, r, &(struct lp_emitted){ .object = path, .run = run_command(task, r, name),
						   .native = native_command(task, name) });
	return !fclose(out);
}

void lp_task_write_test(struct lp_task *task, struct lp_result *r)
{
	const char *name = task->options->at[LP_OPT_EMIT_TEST].text;
	char path[PATH_MAX], hint[2 * PATH_MAX];

	if (!name || !r->violation || !realpath(task->file, path))
		return;
	if (lp_binary_kind(path) != LP_BINARY_NONE) {
		r->hint = "no test was written: it would include the source, which was compiled before";
	} else if (r->violation->client->missing && !r->violation->client->handed_over) {
		r->hint = "no test was written: no result tells a client which of the calls came first";
	} else if (!write_file(task, r, name, path)) {
		r->hint = "the test could not be written";
	} else {
		snprintf(hint, sizeof hint, "the client is in the file given with --emit-test: %s", run_command(task, r, name));
		r->hint = lp_arena_strdup(&task->arena, hint);
	}
}
