/* compile.c -- driving clang, linchpin-fe and the linker.
 *
 *     source --clang--> LLVM bitcode --linchpin-fe--> one object --ld--> shared object
 *
 * clang translates and does not optimise; it writes into a pipe.  linchpin-fe is started together
 * with it, so that it is loaded when the bitcode comes.  Nothing of that happens if the result is
 * known from before: frontend/cache/cache.h.
 */
#define _GNU_SOURCE
#include "frontend/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/binary.h"
#include "frontend/cache/cache.h"
#include "frontend/command.h"
#include "frontend/places.h"
#include "frontend/units.h"

#ifndef LP_LD
#define LP_LD "ld"
#endif

struct names {
	LP_VEC(char *);
};

/* A compiler that is running. */
struct running {
	struct lp_command command;
	int process, pipe[2]; /* 0: not started, or waited for; -1: closed */
};

/* One compilation: the request, sorted into what each step needs. */
struct job {
	const struct lp_compile_request *request;
	const char *folder;
	struct lp_command sources, compile, link; /* flags of the last two */
	struct lp_command linked; /* `link` as it was given: units.h changes it */
	char level;            /* of optimisation: 0 to 3 */
	bool cplusplus;
	struct lp_units units; /* what `linchpin cc` has compiled before */
	struct names files;    /* their bitcode, by number of the unit; NULL if there is none */
	struct running *running; /* by source */
	char include[512];
	struct lp_cache cache;
	struct names wanted;   /* symbols that the program leaves undefined; sorted */
};

static void names_drop(struct names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		lp_free(names->at[i]);
	lp_free(names->at);
	*names = (struct names){ 0 };
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool names_have(const struct names *names, const char *name)
{
	return names->count &&
	       bsearch(&name, names->at, names->count, sizeof *names->at, by_name);
}

/* A file in the folder: FOLDER/NAME, or FOLDER/NAME3. */
static const char *file_of(const struct job *job, const char *name, int number, char path[static 96])
{
	if (number < 0)
		snprintf(path, 96, "%s/%s", job->folder, name);
	else
		snprintf(path, 96, "%s/%s%d", job->folder, name, number);
	return path;
}

static bool ends_in(const char *name, const char *const *endings)
{
	const char *dot = strrchr(name, '.');

	for (; dot && *endings; endings++)
		if (!strcmp(dot, *endings))
			return true;
	return false;
}

static bool is_cplusplus(const char *name)
{
	return ends_in(name, (const char *const[]){ ".cc", ".cpp", ".cxx", ".C", ".c++",
						    ".ii", NULL });
}

static bool is_source(const char *name)
{
	return is_cplusplus(name) || ends_in(name, (const char *const[]){ ".c", ".i", NULL });
}

static bool is_linked(const char *name)
{
	return ends_in(name, (const char *const[]){ ".o", ".a", ".so", NULL }) ||
	       lp_binary_kind(name) != LP_BINARY_NONE;
}

/* Does the flag take the next argument as its own? */
static bool takes_argument(const char *flag)
{
	static const char *const flags[] = {
		"-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-imacros",
		"-x", "-MF", "-MT", "-MQ", "-Xpreprocessor", "-Xassembler", "--param", "-mllvm",
		"-target", "-Xclang", NULL
	};

	for (const char *const *f = flags; *f; f++)
		if (!strcmp(flag, *f))
			return true;
	return false;
}

static bool sort_flags(struct job *job, struct lp_error *error)
{
	const char *const *flag = job->request->flags;

	lp_command_add(!is_source(job->request->file) && is_linked(job->request->file) ?
		       &job->link : &job->sources, job->request->file);
	for (; flag && *flag; flag++) {
		if (!strcmp(*flag, "-c") || !strcmp(*flag, "-S") || !strcmp(*flag, "-E") ||
		    !strncmp(*flag, "-o", 2))
			return lp_fail(error, "'%s' is not for the user to say: linchpin "
				       "decides what is compiled into what", *flag);
		if (takes_argument(*flag)) {
			if (!flag[1])
				return lp_fail(error, "an argument is missing after '%s'",
					       *flag);
			lp_command_add(&job->compile, flag[0]);
			lp_command_add(&job->compile, flag[1]);
			flag++;
		} else if (!strcmp(*flag, "-L") || !strcmp(*flag, "-l") ||
			   !strcmp(*flag, "-Xlinker")) {
			lp_command_add(&job->link, *flag);
			if (flag[1])
				lp_command_add(&job->link, *++flag);
		} else if ((*flag)[0] != '-' && is_source(*flag)) {
			lp_command_add(&job->sources, *flag);
		} else if ((*flag)[0] != '-' ? is_linked(*flag) :
			   !strncmp(*flag, "-l", 2) || !strncmp(*flag, "-L", 2) ||
			   !strncmp(*flag, "-Wl,", 4)) {
			lp_command_add(&job->link, *flag);
		} else if (!strncmp(*flag, "-O", 2)) { /* linchpin-fe optimises, after its own work */
			job->level = (*flag)[2] >= '0' && (*flag)[2] <= '3' ? (*flag)[2] : '1';
		} else {
			lp_command_add(&job->compile, *flag);
		}
	}
	for (uint32_t i = 0; i < job->sources.count; i++) {
		if (access(job->sources.at[i], R_OK))
			return lp_fail(error, "cannot read '%s': %s", job->sources.at[i],
				       strerror(errno));
		if (!is_source(job->sources.at[i]))
			return lp_fail(error, "'%s' is neither a C nor a C++ file by its name",
				       job->sources.at[i]);
		job->cplusplus |= is_cplusplus(job->sources.at[i]);
	}
	return true;
}

static void add_all(struct lp_command *command, const char *const *arguments)
{
	for (; *arguments; arguments++)
		lp_command_add(command, *arguments);
}

/* Flags before the user's can be overridden by them, flags after cannot. */
static void add_flags_before(const struct job *job, struct lp_command *command)
{
	add_all(command, (const char *const[]){ "-g", "-Wno-unused-command-line-argument",
						"-Wno-unknown-warning-option",
						"-Wno-ignored-optimization-argument", NULL });
	if (job->include[0])
		add_all(command, (const char *const[]){ "-I", job->include, NULL });
}

static void add_flags_after(bool cplusplus, struct lp_command *command)
{
	/* Without -O there are no types of accesses, and no ends of variables; with it there would be
	 * optimisations, if we did not say no.  An operation whose memory order is invalid, and that
	 * linchpin/builtins.h has not seen, clang would leave out. */
	static const char *const both[] = {
		"-O1", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-fPIC", "-fno-builtin",
		"-fno-stack-protector", "-fstack-clash-protection", "-fno-lto", "-fno-sanitize=all",
		"-fstrict-aliasing", "-Werror=atomic-memory-ordering", NULL
	};

	add_all(command, both);
#if defined(__x86_64__)
	lp_command_add(command, "-fcf-protection=none");
	lp_command_add(command, "-mcx16");
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

static const char *compiler_for(const struct job *job, const char *source, char room[static 512])
{
	const char *compiler = lp_place_clang(job->request);

	if (!is_cplusplus(source))
		return compiler;
	lp_place_cplusplus(compiler, room);
	return room;
}

/* ---- what is printed ---- */

/* What the command prints goes to a file, if it is to be kept. */
static void capture(const struct job *job, struct lp_command *command, const char *name, int number)
{
	char path[96];

	if (job->cache.on)
		command->messages = open(file_of(job, name, number, path),
					 O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

/* Are messages coloured? */
static bool has_colours(void)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	return isatty(2) && term && strcmp(term, "dumb") && (!no || !*no);
}

/* For the same reason, clang lists what it reads, and where it looks for it; and it is told what it
 * cannot see any more: that there is a terminal. */
static void add_listing(const struct job *job, struct lp_command *command, const char *list)
{
	if (!job->cache.on)
		return;
	add_all(command, (const char *const[]){ "-Xclang", "-v", "-MD", "-MT", "x", "-MF", list, NULL });
	if (has_colours())
		lp_command_add(command, "-fcolor-diagnostics");
}

/* ---- clang ---- */

/* Compiles a source; the bitcode goes to the file, or, if that is NULL, into the pipe. */
static bool start_compiler(struct job *job, uint32_t number, const char *to, struct lp_error *error)
{
	struct running *r = &job->running[number];
	const char *source = job->sources.at[number];
	char compiler[512], list[96];

	lp_command_add(&r->command, compiler_for(job, source, compiler));
	capture(job, &r->command, "messages", (int)number);
	add_listing(job, &r->command, file_of(job, "list", (int)number, list));
	add_flags_before(job, &r->command);
	if (job->include[0])
		add_all(&r->command, (const char *const[]){ "-include", "linchpin/builtins.h", NULL });
	for (uint32_t i = 0; i < job->compile.count; i++)
		lp_command_add(&r->command, job->compile.at[i]);
	add_flags_after(is_cplusplus(source), &r->command);
	add_all(&r->command, (const char *const[]){ "-o", to ? to : "-", source, NULL });
	const bool started = lp_command_start(&r->command, "the compiler", r->pipe[1], &r->process, error);
	r->command.at[0] = lp_place_clang(job->request); /* for messages, which come later */
	return started;
}

static bool finish_compiler(struct running *r, struct lp_error *error)
{
	const int process = r->process;

	r->process = 0;
	return !process || lp_command_finish(&r->command, "the compiler", process, error);
}

static bool finish_source(struct job *job, uint32_t number, struct lp_error *error)
{
	char messages[96], list[96];
	const bool done = finish_compiler(&job->running[number], error);

	if (job->cache.on)
		lp_cache_tell_source(&job->cache, file_of(job, "messages", (int)number, messages),
				     file_of(job, "list", (int)number, list));
	return done;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static bool open_pipes(struct job *job, struct lp_error *error)
{
	job->running = lp_alloc_zero(job->sources.count + 1, sizeof *job->running);
	for (uint32_t i = 0; i < job->sources.count; i++)
		job->running[i].pipe[0] = job->running[i].pipe[1] = -1;
	for (uint32_t i = 0; i < job->sources.count; i++)
		if (pipe2(job->running[i].pipe, O_CLOEXEC))
			return lp_fail(error, "cannot make a pipe: %s", strerror(errno));
	return true;
}

/* A few at a time: their bitcode is wanted in this order.  All of them, even if one fails: its
 * messages are not the only ones that help. */
static bool run_compilers(struct job *job, struct lp_error *error)
{
	const uint32_t count = job->sources.count, at_once = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN) + 1;
	struct lp_error first = { .text = "" };
	bool good = true;

	for (uint32_t i = 0; i < count + at_once; i++) {
		struct lp_error now = { .text = "" };
		bool done = true;
		if (i >= at_once && i - at_once < count)
			done = finish_source(job, i - at_once, &now);
		if (i < count) {
			done &= start_compiler(job, i, NULL, &now);
			close_end(&job->running[i].pipe[1]);
		}
		if (!done && good)
			first = now;
		good &= done;
	}
	if (!good && error)
		*error = first;
	return good;
}

/* ---- linchpin-fe ---- */

static void add_kept(struct names *kept, struct lp_command *command, const char *word)
{
	LP_PUSH(kept, lp_strdup(word));
	lp_command_add(command, LP_LAST(kept));
}

static void add_inputs(const struct job *job, struct names *kept, struct lp_command *command)
{
	char word[32];

	for (uint32_t i = 0; i < job->units.count; i++)
		if (job->files.at[i] && job->units.at[i].member)
			add_all(command, (const char *const[]){ "--member", job->files.at[i], NULL });
	for (uint32_t i = 0; i < job->sources.count; i++) {
		snprintf(word, sizeof word, "fd:%d", job->running[i].pipe[0]);
		fcntl(job->running[i].pipe[0], F_SETFD, 0);
		add_kept(kept, command, word);
	}
	for (uint32_t i = 0; i < job->units.count; i++)
		if (job->files.at[i] && !job->units.at[i].member)
			lp_command_add(command, job->files.at[i]);
}

static bool instrument(struct job *job, const char *object, const char *report, struct lp_error *error)
{
	struct lp_command command = { 0 };
	struct names kept = { 0 };
	char path[512], messages[96], level[2] = { job->request->debug ? '0' : job->level, '\0' };
	int process;

	lp_place_instrumenter(path);
	add_all(&command, (const char *const[]){ path, "-O", level, "--report", report, "-o", object, NULL });
	if (job->request->client)
		lp_command_add(&command, "--client");
	if (job->request->debug)
		lp_command_add(&command, "--debug");
	capture(job, &command, "instrumenting", -1);
	bool done = open_pipes(job, error);
	if (done)
		add_inputs(job, &kept, &command);
	done = done && lp_command_start(&command, "linchpin-fe", -1, &process, error);
	for (uint32_t i = 0; i < job->sources.count; i++)
		close_end(&job->running[i].pipe[0]);
	if (done) {
		struct lp_error later = { .text = "" };
		const bool compiled = run_compilers(job, error);
		if (job->cache.on)
			lp_recipe_note(job->cache.recipe, &job->cache.inputs);
		done = lp_command_finish(&command, "the front end", process, &later) && compiled;
		/* A compiler that could not write any more is not to blame. */
		if (!done && error && (compiled || strstr(error->text, "ended by signal 13")))
			*error = later;
		if (job->cache.on)
			lp_cache_tell(&job->cache, file_of(job, "instrumenting", -1, messages));
	}
	lp_command_drop(&command);
	names_drop(&kept);
	return done;
}

/* Symbols that are still wanted, a line each.  A line with a tab says that assembly reads files. */
static bool read_report(struct job *job, const char *path, struct lp_error *error)
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
	if (job->wanted.count)
		qsort(job->wanted.at, job->wanted.count, sizeof *job->wanted.at, by_name);
	return true;
}

/* ---- the linker ---- */

/* -Wl,a,b is "a b" for the linker. */
static void add_linker_words(const char *word, struct names *kept, struct lp_command *command)
{
	char *copy = lp_strdup(word), *rest = copy;

	for (char *part; (part = strsep(&rest, ","));)
		add_kept(kept, command, part);
	lp_free(copy);
}

/* -Bsymbolic: the program's own symbols are not overridden by ours or libc's. */
static bool link_all(struct job *job, const char *object, const char *shared, struct lp_error *error)
{
	const bool others = job->cplusplus || job->link.count;
	struct lp_command command = { 0 };
	struct names kept = { 0 };
	char messages[96], list[96];

	add_all(&command, (const char *const[]){ LP_LD, "-shared", "-z", "now", "-z", "relro", "-Bsymbolic",
						 "-z", "noexecstack", "--eh-frame-hdr", "-o", shared, object, NULL });
	for (uint32_t i = 0; i < job->link.count; i++)
		if (!strncmp(job->link.at[i], "-Wl,", 4))
			add_linker_words(job->link.at[i] + 4, &kept, &command);
		else if (strcmp(job->link.at[i], "-Xlinker"))
			lp_command_add(&command, job->link.at[i]);
	if (job->cplusplus)
		add_all(&command, (const char *const[]){ "-l:libstdc++.so.6", "-l:libgcc_s.so.1", NULL });
	file_of(job, "linked", -1, list);
	if (job->cache.on && others)
		add_all(&command, (const char *const[]){ "--dependency-file", list, NULL });
	capture(job, &command, "linking", -1);
	const bool done = lp_command_run(&command, "the linker", error);
	if (job->cache.on)
		lp_cache_tell(&job->cache, file_of(job, "linking", -1, messages));
	if (job->cache.on && others)
		lp_cache_note_linked(&job->cache, list, job->folder);
	lp_command_drop(&command);
	names_drop(&kept);
	return done;
}

/* ---- what `linchpin cc` has compiled ---- */

static bool is_missing(const void *closure, const char *name)
{
	const struct job *job = closure;
	return names_have(&job->wanted, name);
}

/* Writes the bitcode of all units to files. */
static bool write_units(struct job *job, struct lp_error *error)
{
	for (uint32_t i = 0; i < job->units.count; i++) {
		const struct lp_unit *unit = &job->units.at[i];
		char path[96];
		snprintf(path, sizeof path, "%s/unit%u.bc", job->folder, i);
		LP_PUSH(&job->files, unit->twin ? lp_strdup(path) : NULL);
		if (!unit->twin && !unit->member)
			return lp_units_refuse(unit->from, error);
		if (unit->twin && !lp_binary_write(path, unit->twin, unit->size))
			return lp_fail(error, "cannot write '%s': %s", path, strerror(errno));
		if (unit->source)
			job->cplusplus |= is_cplusplus(unit->source);
	}
	return true;
}

/* A member of an archive that is needed, and that has no twin? */
static bool units_suffice(const struct job *job, struct lp_error *error)
{
	for (uint32_t i = 0; i < job->units.count; i++) {
		const struct lp_unit *unit = &job->units.at[i];
		for (uint32_t k = 0; !unit->twin && k < unit->defines.count; k++)
			if (is_missing(job, unit->defines.at[k]))
				return lp_units_refuse(unit->from, error);
	}
	return lp_units_suffice(&job->units, is_missing, job, error);
}

static void job_drop(struct job *job)
{
	for (uint32_t i = 0; job->running && i < job->sources.count; i++) {
		close_end(&job->running[i].pipe[0]);
		close_end(&job->running[i].pipe[1]);
		finish_compiler(&job->running[i], NULL);
		lp_command_drop(&job->running[i].command);
	}
	lp_free(job->running);
	lp_command_drop(&job->sources);
	lp_command_drop(&job->compile);
	lp_command_drop(&job->link);
	lp_command_drop(&job->linked);
	names_drop(&job->files);
	names_drop(&job->wanted);
	lp_units_drop(&job->units);
	lp_cache_close(&job->cache);
}

static void shared_name(bool plain, const char *folder, char shared[static LP_SHARED_PATH])
{
	snprintf(shared, LP_SHARED_PATH, "%s/%s.so", folder, plain ? "plain" : "program");
}

bool lp_compiled(bool plain, const char *folder, char shared[static LP_SHARED_PATH], struct lp_error *error)
{
	shared_name(plain, folder, shared);
	return !access(shared, R_OK) || lp_fail(error, "there is no '%s'", shared);
}

/* Everything that is not in the words of the command.  A result that is to stay in its folder is made there. */
static void open_cache(struct job *job, struct lp_recipe *recipe, bool plain, bool wanted)
{
	const struct lp_compile_request *request = job->request;

	lp_place_cplusplus(lp_place_clang(request), recipe->room[0]);
	lp_place_instrumenter(recipe->room[1]);
	snprintf(recipe->what, sizeof recipe->what, "%s %c %d %d %d", plain ? "plain" : "program", job->level,
		 request->client, request->debug, has_colours());
	recipe->compiler = lp_place_clang(request);
	recipe->compilerxx = job->cplusplus ? recipe->room[0] : NULL;
	recipe->instrumenter = plain ? NULL : recipe->room[1];
	recipe->linker = LP_LD;
	recipe->include = job->include;
	recipe->sources = &job->sources;
	recipe->compile = &job->compile;
	for (uint32_t i = 0; i < job->link.count; i++)
		lp_command_add(&job->linked, job->link.at[i]);
	recipe->link = &job->linked;
	lp_cache_open(&job->cache, recipe, wanted && !request->uncached && !request->folder);
}

static bool compile(struct job *job, char shared[static LP_SHARED_PATH], struct lp_findings *findings,
		    struct lp_error *error)
{
	const char *file = job->request->file;
	char object[96], report[96];

	file_of(job, "program.o", -1, object);
	file_of(job, "wanted", -1, report);
	shared_name(false, job->folder, shared);
	const bool done = lp_units_take(&job->units, &job->link, file, is_source(file), job->folder, findings, error) &&
			  write_units(job, error) && instrument(job, object, report, error) &&
			  read_report(job, report, error) && units_suffice(job, error) &&
			  link_all(job, object, shared, error);
	if (done)
		lp_cache_keep(&job->cache, shared, findings);
	return done;
}

/* The folder is opened when it is certain that one is needed. */
static bool open_folder(struct job *job, char own[static 64], struct lp_error *error)
{
	job->folder = job->request->folder ? job->request->folder : own;
	return job->request->folder || lp_folder_open(own, error);
}

bool lp_compile(const struct lp_compile_request *request, char own[static 64], char shared[static LP_SHARED_PATH],
		struct lp_findings *findings, struct lp_error *error)
{
	struct job job = { .request = request, .level = '1' };
	struct lp_recipe recipe;
	bool done = false;

	own[0] = '\0';
	lp_place_include(request, job.include);
	if (sort_flags(&job, error)) {
		open_cache(&job, &recipe, false, true);
		done = lp_cache_find(&job.cache, shared, findings) ||
		       (open_folder(&job, own, error) && compile(&job, shared, findings, error));
	}
	job_drop(&job);
	return done;
}

bool lp_compile_twin(const struct lp_compile_request *request, const char *folder, struct lp_error *error)
{
	struct job job = { .request = request, .folder = folder };
	char bitcode[96];

	snprintf(bitcode, sizeof bitcode, "%s/twin.bc", folder);
	lp_place_include(job.request, job.include);
	bool done = sort_flags(&job, error);
	job.sources.count = done ? 1 : 0; /* whatever else stands there */
	done = done && open_pipes(&job, error);
	if (done) {
		close_end(&job.running[0].pipe[1]);
		done = start_compiler(&job, 0, bitcode, error) && finish_compiler(&job.running[0], error);
	}
	job_drop(&job);
	return done;
}

void lp_compile_include(char out[static 512])
{
	static const struct lp_compile_request none = { .file = "" };
	struct job job = { .request = &none };

	lp_place_include(job.request, job.include);
	memcpy(out, job.include, sizeof job.include);
}

static bool compile_plain(struct job *job, char shared[static LP_SHARED_PATH], struct lp_error *error)
{
	struct lp_command command = { 0 };
	char compiler[512], messages[96], list[96], linked[128];

	shared_name(true, job->folder, shared);
	lp_command_add(&command, compiler_for(job, job->sources.at[0], compiler));
	add_flags_before(job, &command);
	add_listing(job, &command, file_of(job, "list", -1, list));
	for (uint32_t i = 0; i < job->compile.count; i++)
		lp_command_add(&command, job->compile.at[i]);
	/* What it leaves undefined is never called. */
	add_all(&command, (const char *const[]){ "-O1", "-shared", "-fPIC", "-w", "-Wl,-z,lazy", "-o",
						 shared, NULL });
	for (uint32_t i = 0; i < job->sources.count; i++)
		lp_command_add(&command, job->sources.at[i]);
	for (uint32_t i = 0; i < job->link.count; i++)
		if (job->link.at[i][0] == '-' || !lp_fat_is(job->link.at[i]))
			lp_command_add(&command, job->link.at[i]);
	snprintf(linked, sizeof linked, "-Wl,--dependency-file,%s/linked", job->folder);
	if (job->cache.on)
		lp_command_add(&command, linked);
	capture(job, &command, "messages", -1);
	const bool done = lp_command_run(&command, "the compiler", error);
	if (job->cache.on) {
		lp_recipe_note(job->cache.recipe, &job->cache.inputs);
		lp_cache_tell_source(&job->cache, file_of(job, "messages", -1, messages), list);
	}
	if (job->cache.on && done) {
		lp_cache_note_linked(&job->cache, strrchr(linked, ',') + 1, job->folder);
		lp_cache_keep(&job->cache, shared, NULL);
	}
	lp_command_drop(&command);
	return done;
}

bool lp_compile_plain(const struct lp_compile_request *request, char own[static 64],
		      char shared[static LP_SHARED_PATH], struct lp_error *error)
{
	struct lp_compile_request plain = *request;
	struct job job = { .request = &plain, .level = '1' };
	struct lp_recipe recipe;

	own[0] = '\0';
	plain.client = false;
	lp_place_include(request, job.include);
	bool done = sort_flags(&job, error) &&
		    (job.sources.count ||
		     lp_fail(error, "a specification of one's own must be in a source file: linchpin check "
				    "HARNESS.c -- %s", request->file));
	if (done) {
		/* Of several sources, only the last one's list would stay. */
		open_cache(&job, &recipe, true, job.sources.count == 1 && !job.link.count);
		done = lp_cache_find(&job.cache, shared, NULL) ||
		       (open_folder(&job, own, error) && compile_plain(&job, shared, error));
	}
	job_drop(&job);
	return done;
}
