/* translate.c -- runs clang and linchpin-fe.
 *
 * clang translates and does not optimise; it writes bitcode into a pipe, from which linchpin-fe reads.  clang and linchpin-fe are
 * started together.  If clang is part of linchpin-fe (lp_job.own), the first source needs no pipe:
 *
 *     clang a.c --.                               linchpin-fe: translates a.c, instruments
 *     clang b.c --+-> linchpin-fe: instruments                ^
 *                                                 linchpin-fe --clang b.c
 */
#define _GNU_SOURCE
#include "frontend/compile/translate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frontend/compile/job.h"
#include "frontend/compile/places.h"
#include "frontend/serve/served.h"

/* A compiler that is running. */
struct running {
	struct lp_command command;
	struct lp_names kept; /* words of it */
	int process, pipe[2]; /* 0: not started, or waited for; -1: closed */
};

struct translation {
	struct lp_job *job;
	struct running *running; /* by source */
	int process, served;     /* linchpin-fe; -1: it is not served */
};

/* ---- flags ---- */

void lp_translate_add_flags(const struct lp_job *job, struct lp_command *command)
{
	lp_command_add_all(command, (const char *const[]){ "-g", "-Wno-unused-command-line-argument",
						"-Wno-unknown-warning-option",
						"-Wno-ignored-optimization-argument", NULL });
	if (job->include[0])
		lp_command_add_all(command, (const char *const[]){ "-I", job->include, NULL });
}

/* Flags after the user's cannot be overridden. */
static void add_flags_after(bool cplusplus, struct lp_command *command)
{
	/* -O1 makes clang write the types of accesses and the ends of variables; -disable-llvm-passes keeps
	 * it from optimising.  It would leave out an operation with an invalid memory order that
	 * linchpin/builtins.h has not seen, so that is an error.  Reports need -g.  Profiles and growing
	 * stacks need passes and libraries that are not used here, and so do optimisations of virtual tables
	 * at link time.  Code that must never be reached traps (signals.c). */
	static const char *const both[] = {
		"-O1", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-g", "-fPIC", "-fno-builtin",
		"-fno-stack-protector", "-fstack-clash-protection", "-fno-lto", "-fno-sanitize=all",
		"-fsanitize=unreachable,return", "-fsanitize-trap=unreachable,return", "-fstrict-aliasing", "-Werror=atomic-memory-ordering", "-fno-profile-instr-generate",
		"-fno-coverage-mapping", "-fno-whole-program-vtables", "-fno-virtual-function-elimination", NULL
	};

	lp_command_add_all(command, both);
	lp_command_add(command, "-D__linchpin__=1"); /* for programs that are built without it, too */
#if defined(__x86_64__)
	lp_command_add(command, "-fcf-protection=none");
	lp_command_add(command, "-mcx16");
	lp_command_add(command, "-fno-split-stack");
#elif defined(__aarch64__)
	lp_command_add(command, "-mno-outline-atomics");
	/* The processor does not trap: it takes the quotient to be 0. */
	lp_command_add(command, "-fsanitize=integer-divide-by-zero");
	lp_command_add(command, "-fsanitize-trap=integer-divide-by-zero");
#endif
	/* Besides assertions worth having, this makes std::string part of the user's code,
	 * where hooks see it, instead of libstdc++'s. */
	if (cplusplus) {
		lp_command_add(command, "-D_GLIBCXX_ASSERTIONS");
		lp_command_add(command, "-D_GLIBCXX_TSAN=1"); /* no accesses of mixed sizes */
	}
}

const char *lp_translate_compiler(const struct lp_job *job, const char *source, char room[static 512])
{
	const char *compiler = lp_place_clang(job->request);

	if (!lp_job_is_cplusplus(source))
		return compiler;
	lp_place_cplusplus(compiler, room);
	return room;
}

/* clang is also told what it cannot see any more: that there is a terminal. */
void lp_translate_add_listing(const struct lp_job *job, struct lp_command *command, const char *list)
{
	if (job->cache.on)
		lp_command_add_all(command,
				   (const char *const[]){ "-Xclang", "-v", "-MD", "-MT", "x", "-MF", list, NULL });
	if (lp_job_has_colours())
		lp_command_add(command, "-fcolor-diagnostics");
}

/* ---- clang ---- */

/* The words that translate a source; the bitcode goes to the file. */
static void add_words(const struct lp_job *job, uint32_t number, const char *to, struct lp_names *kept,
		      struct lp_command *command)
{
	const char *source = job->sources.at[number];
	char room[512], list[96];

	lp_job_add_kept(kept, command, lp_translate_compiler(job, source, room));
	lp_job_file(job, "list", (int)number, list);
	LP_PUSH(kept, lp_strdup(list));
	lp_translate_add_listing(job, command, LP_LAST(kept));
	lp_translate_add_flags(job, command);
	if (job->include[0])
		lp_command_add_all(command, (const char *const[]){ "-include", "linchpin/builtins.h", NULL });
	for (uint32_t i = 0; i < job->compile.count; i++)
		lp_command_add(command, job->compile.at[i]);
	add_flags_after(lp_job_is_cplusplus(source), command);
	lp_command_add_all(command, (const char *const[]){ "-o", to, source, NULL });
}

/* Compiles a source; the bitcode goes to the file, or, if that is NULL, into the pipe. */
static bool start_compiler(struct translation *t, uint32_t number, const char *to, struct lp_error *error)
{
	const struct lp_job *job = t->job;
	struct running *r = &t->running[number];
	char path[512];

	if (job->own) {
		lp_place_instrumenter(path);
		lp_command_add_all(&r->command, (const char *const[]){ path, "--clang", NULL });
	}
	add_words(job, number, to ? to : "-", &r->kept, &r->command);
	lp_job_capture(job, &r->command, "messages", (int)number);
	const bool started = lp_command_start(&r->command, "the compiler", r->pipe[1], &r->process, error);
	r->command.at[0] = lp_place_clang(job->request); /* for messages, which come later */
	return started;
}

/* A compiler that cannot write any more is not to blame: no error is set. */
static bool finish_compiler(struct running *r, struct lp_error *error)
{
	struct lp_error own = { .text = "" };
	const int process = r->process;

	r->process = 0;
	if (!process || lp_command_finish(&r->command, "the compiler", process, &own))
		return true;
	if (error && !(WIFSIGNALED(r->command.status) && WTERMSIG(r->command.status) == SIGPIPE))
		*error = own;
	return false;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void translation_open(struct translation *t, struct lp_job *job)
{
	*t = (struct translation){ .job = job, .running = lp_alloc_zero(job->sources.count + 1, sizeof *t->running) };
	for (uint32_t i = 0; i < job->sources.count; i++)
		t->running[i].pipe[0] = t->running[i].pipe[1] = -1;
}

static void translation_close(struct translation *t)
{
	for (uint32_t i = 0; i < t->job->sources.count; i++) {
		close_end(&t->running[i].pipe[0]);
		close_end(&t->running[i].pipe[1]);
		finish_compiler(&t->running[i], NULL);
		lp_command_drop(&t->running[i].command);
		lp_names_drop(&t->running[i].kept);
	}
	lp_free(t->running);
}

static bool open_pipes(struct translation *t, struct lp_error *error)
{
	for (uint32_t i = t->job->own ? 1 : 0; i < t->job->sources.count; i++)
		if (pipe2(t->running[i].pipe, O_CLOEXEC))
			return lp_fail(error, "cannot make a pipe: %s", strerror(errno));
	return true;
}

/* A few at a time: their bitcode is wanted in this order.  All of them, even if one fails: its
 * messages are not the only ones that help. */
static bool run_compilers(struct translation *t, struct lp_error *first)
{
	const uint32_t count = t->job->sources.count, at_once = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN) + 1;
	bool good = true;

	for (uint32_t i = t->job->own ? 1 : 0; i < count + at_once; i++) {
		struct lp_error now = { .text = "" };
		if (i >= at_once && i - at_once < count)
			good &= finish_compiler(&t->running[i - at_once], &now);
		if (i < count) {
			good &= start_compiler(t, i, NULL, &now);
			close_end(&t->running[i].pipe[1]);
		}
		if (!first->text[0])
			*first = now;
	}
	return good;
}

bool lp_translate_source(struct lp_job *job, const char *bitcode, struct lp_error *error)
{
	struct translation t;
	char messages[96];

	translation_open(&t, job);
	const bool done = start_compiler(&t, 0, bitcode, error) && finish_compiler(&t.running[0], error);
	lp_cache_tell(&job->cache, lp_job_file(job, "messages", 0, messages));
	translation_close(&t);
	return done;
}

/* ---- linchpin-fe ---- */

/* The first source, if linchpin-fe translates it: --source COUNT WORD... */
static void add_source(const struct lp_job *job, struct lp_names *kept, struct lp_command *command)
{
	struct lp_command words = { 0 };
	char count[16];

	add_words(job, 0, "-", kept, &words);
	snprintf(count, sizeof count, "%u", words.count);
	lp_command_add(command, "--source");
	lp_job_add_kept(kept, command, count);
	for (uint32_t i = 0; i < words.count; i++)
		lp_command_add(command, words.at[i]);
	lp_command_drop(&words);
}

static void add_mutants(const struct lp_job *job, struct lp_names *kept, struct lp_command *command)
{
	const struct lp_compile_request *r = job->request;
	char path[128];

	if (r->mutant)
		lp_command_add_all(command, (const char *const[]){ "--mutant", r->mutant, NULL });
	if (!r->mutants || r->mutant)
		return;
	snprintf(path, sizeof path, "%s.list", r->mutants);
	lp_command_add(command, "--mutants");
	lp_job_add_kept(kept, command, path);
	snprintf(path, sizeof path, "%s.bc", r->mutants);
	lp_command_add(command, "--keep");
	lp_job_add_kept(kept, command, path);
}

static void add_inputs(const struct translation *t, struct lp_names *kept, struct lp_command *command)
{
	const struct lp_job *job = t->job;
	char word[128];

	if (lp_job_is_kept(job)) {
		snprintf(word, sizeof word, "%s.bc", job->request->mutants);
		lp_job_add_kept(kept, command, word);
		return;
	}
	for (uint32_t i = 0; i < job->units.count; i++)
		if (job->files.at[i] && job->units.at[i].member)
			lp_command_add_all(command, (const char *const[]){ "--member", job->files.at[i], NULL });
	for (uint32_t i = 0; i < job->sources.count; i++) {
		if (!i && job->own) {
			add_source(job, kept, command);
			continue;
		}
		snprintf(word, sizeof word, "fd:%d", t->running[i].pipe[0]);
		fcntl(t->running[i].pipe[0], F_SETFD, 0);
		lp_job_add_kept(kept, command, word);
	}
	for (uint32_t i = 0; i < job->units.count; i++)
		if (job->files.at[i] && !job->units.at[i].member)
			lp_command_add(command, job->files.at[i]);
}

/* By a process that is kept, if there is one and no other compilers write to linchpin-fe. */
static bool start_instrumenter(struct translation *t, struct lp_command *command, struct lp_error *error)
{
	char tmpdir[80];

	t->served = -1;
	if (t->job->sources.count <= (t->job->own ? 1 : 0) && command->messages > 0) {
		char **environment = lp_command_environment(tmpdir);
		LP_PUSH(command, NULL);
		command->count--;
		t->served = lp_served_start(command->at, environment, command->messages);
		lp_free(environment);
	}
	return t->served >= 0 || lp_command_start(command, "linchpin-fe", -1, &t->process, error);
}

/* If a kept process ends before it is done, its messages are dropped, and a new process starts from the beginning. */
static bool await_instrumenter(struct translation *t, struct lp_command *command, struct lp_error *error)
{
	if (t->served >= 0 && lp_served_finish(t->served, &command->status))
		return lp_command_has_succeeded(command, "the front end", error);
	if (t->served >= 0 && (ftruncate(command->messages, 0) || lseek(command->messages, 0, SEEK_SET) ||
			       !lp_command_start(command, "linchpin-fe", -1, &t->process, error)))
		return false;
	return lp_command_finish(command, "the front end", t->process, error);
}

static bool finish_instrumenter(struct translation *t, struct lp_command *command, struct lp_error *error)
{
	const struct lp_job *job = t->job;

	if (await_instrumenter(t, command, error))
		return true;
	if (WIFEXITED(command->status) && WEXITSTATUS(command->status) == LP_COMPILER_FAILED)
		lp_fail(error, "the compiler '%s' failed with status 1", lp_place_clang(job->request));
	if (WIFEXITED(command->status) && WEXITSTATUS(command->status) == LP_NO_SUCH_MUTANT)
		lp_fail(error, "there is no mutant '%s'; `linchpin mutants` lists them", job->request->mutant);
	return false;
}

/* What was printed, in the order of the sources. */
static void tell(struct lp_job *job)
{
	char messages[96], list[96];

	for (uint32_t i = 0; i < job->sources.count; i++)
		lp_cache_tell_source(&job->cache, !i && job->own ? lp_job_file(job, "instrumenting", -1, messages) :
				     lp_job_file(job, "messages", (int)i, messages),
				     lp_job_file(job, "list", (int)i, list));
	if (!job->own || !job->sources.count)
		lp_cache_tell(&job->cache, lp_job_file(job, "instrumenting", -1, messages));
}

/* Runs the compilers while linchpin-fe, which is running, reads what they write. */
static bool feed(struct translation *t, struct lp_command *command, struct lp_error *error)
{
	struct lp_job *job = t->job;
	struct lp_error first = { .text = "" }, later = { .text = "" };

	for (uint32_t i = 0; i < job->sources.count; i++)
		close_end(&t->running[i].pipe[0]);
	const bool compiled = run_compilers(t, &first);
	if (job->cache.on)
		lp_recipe_note(job->cache.recipe, &job->cache.inputs);
	const bool instrumented = finish_instrumenter(t, command, &later);
	tell(job);
	if (error && !(compiled && instrumented))
		*error = first.text[0] ? first : later;
	return compiled && instrumented;
}

static bool instrument(struct translation *t, const char *object, const char *report, struct lp_error *error)
{
	const struct lp_job *job = t->job;
	struct lp_command command = { 0 };
	struct lp_names kept = { 0 };
	char path[512], level[2] = { job->request->debug ? '0' : job->level, '\0' };

	lp_place_instrumenter(path);
	lp_command_add_all(&command, (const char *const[]){ path, "-O", level, "--report", report, "-o", object, NULL });
	if (job->request->client && !lp_job_is_kept(job))
		lp_command_add(&command, "--client");
	add_mutants(job, &kept, &command);
	if (job->request->debug)
		lp_command_add(&command, "--debug");
	lp_job_capture(job, &command, "instrumenting", -1);
	bool done = open_pipes(t, error);
	if (done)
		add_inputs(t, &kept, &command);
	done = done && start_instrumenter(t, &command, error) && feed(t, &command, error);
	lp_command_drop(&command);
	lp_names_drop(&kept);
	return done;
}

/* Symbols that are still wanted, a line each.  A line with a tab says that assembly reads files. */
static bool read_report(struct lp_job *job, const char *path, struct lp_error *error)
{
	FILE *report = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	if (!report)
		return lp_fail(error, "cannot read '%s': %s", path, strerror(errno));
	while (getline(&line, &room, report) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '\t')
			job->cache.inputs.broken = true;
		else
			LP_PUSH(&job->wanted, lp_strdup(line));
	}
	free(line);
	fclose(report);
	lp_job_sort_wanted(job);
	return true;
}

bool lp_translate(struct lp_job *job, const char *object, struct lp_error *error)
{
	struct translation t;
	char report[96];

	lp_job_file(job, "wanted", -1, report);
	translation_open(&t, job);
	const bool done = instrument(&t, object, report, error) && read_report(job, report, error);
	translation_close(&t);
	return done;
}
