/* compile.c -- from the user's source files to an instrumented shared object.
 *
 *     source --clang--> LLVM bitcode --linchpin-fe--> one object --ld--> shared object
 *
 * All these steps are skipped if the cache has the result (frontend/cache/cache.h).
 */
#define _GNU_SOURCE
#include "frontend/compile/compile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "frontend/compile/binary.h"
#include "frontend/compile/job.h"
#include "frontend/compile/places.h"
#include "frontend/compile/translate.h"
#include "frontend/serve/keepers.h"

#ifndef LP_LD
#define LP_LD "ld"
#endif

/* ---- the linker ---- */

/* -Wl,a,b is "a b" for the linker. */
static void add_linker_words(const char *word, struct lp_names *kept, struct lp_command *command)
{
	char *copy = lp_strdup(word), *rest = copy;

	for (char *part; (part = strsep(&rest, ","));)
		lp_job_add_kept(kept, command, part);
	lp_free(copy);
}

/* -Bsymbolic: the program's own symbols are not overridden by ours or libc's. */
static bool link_all(struct lp_job *job, const char *object, const char *shared, struct lp_error *error)
{
	const bool others = job->cplusplus || job->link.count;
	struct lp_command command = { 0 };
	struct lp_names kept = { 0 };
	char messages[96], list[96];

	lp_command_add_all(&command, (const char *const[]){ LP_LD, "-shared", "-z", "now", "-z", "relro", "-Bsymbolic",
						 "-z", "noexecstack", "--eh-frame-hdr", "-o", shared, object, NULL });
	for (uint32_t i = 0; i < job->link.count; i++)
		if (!strncmp(job->link.at[i], "-Wl,", 4))
			add_linker_words(job->link.at[i] + 4, &kept, &command);
		else if (strcmp(job->link.at[i], "-Xlinker"))
			lp_command_add(&command, job->link.at[i]);
	if (job->cplusplus)
		lp_command_add_all(&command, (const char *const[]){ "-l:libstdc++.so.6", "-l:libgcc_s.so.1", NULL });
	lp_job_file(job, "linked", -1, list);
	if (job->cache.on && others)
		lp_command_add_all(&command, (const char *const[]){ "--dependency-file", list, NULL });
	lp_job_capture(job, &command, "linking", -1);
	const bool done = lp_command_run(&command, "the linker", error);
	lp_cache_tell(&job->cache, lp_job_file(job, "linking", -1, messages));
	if (job->cache.on && others)
		lp_cache_note_linked(&job->cache, list, job->folder);
	lp_command_drop(&command);
	lp_names_drop(&kept);
	return done;
}

/* ---- what `linchpin cc` has compiled ---- */

static bool is_missing(const void *closure, const char *name)
{
	return lp_job_wants(closure, name);
}

/* Writes the bitcode of all units to files. */
static bool write_units(struct lp_job *job, struct lp_error *error)
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
			job->cplusplus |= lp_job_is_cplusplus(unit->source);
	}
	return true;
}

/* A member of an archive that is needed, and that has no twin? */
static bool units_suffice(const struct lp_job *job, struct lp_error *error)
{
	for (uint32_t i = 0; i < job->units.count; i++) {
		const struct lp_unit *unit = &job->units.at[i];
		for (uint32_t k = 0; !unit->twin && k < unit->defines.count; k++)
			if (is_missing(job, unit->defines.at[k]))
				return lp_units_refuse(unit->from, error);
	}
	return lp_units_suffice(&job->units, is_missing, job, error);
}

/* ---- all of it ---- */

static void shared_name(bool plain, const char *folder, char shared[static LP_SHARED_PATH])
{
	snprintf(shared, LP_SHARED_PATH, "%s/%s.so", folder, plain ? "plain" : "program");
}

bool lp_compile_find(bool plain, const char *folder, char shared[static LP_SHARED_PATH], struct lp_error *error)
{
	shared_name(plain, folder, shared);
	return !access(shared, R_OK) || lp_fail(error, "there is no '%s'", shared);
}

/* Everything that is not in the words of the command.  A result that is to stay in its folder is made there. */
static void open_cache(struct lp_job *job, struct lp_recipe *recipe, bool plain, bool wanted)
{
	const struct lp_compile_request *request = job->request;

	lp_place_cplusplus(lp_place_clang(request), recipe->room[0]);
	lp_place_instrumenter(recipe->room[1]);
	snprintf(recipe->what, sizeof recipe->what, "%s %c %d %d %d %s", plain ? "plain" : "program", job->level,
		 request->client, request->debug, lp_job_has_colours(), request->mutant ? request->mutant : "");
	recipe->own = job->own && !plain;
	recipe->compiler = recipe->own ? job->own : lp_place_clang(request);
	recipe->compilerxx = job->cplusplus && !recipe->own ? recipe->room[0] : NULL;
	recipe->instrumenter = plain ? NULL : recipe->room[1];
	recipe->linker = LP_LD;
	recipe->include = job->include;
	recipe->sources = &job->sources;
	recipe->compile = &job->compile;
	for (uint32_t i = 0; i < job->link.count; i++)
		lp_command_add(&job->linked, job->link.at[i]);
	recipe->link = &job->linked;
	lp_cache_open(&job->cache, recipe, wanted && !request->uncached && !request->folder && !request->mutants);
}

static bool compile(struct lp_job *job, char shared[static LP_SHARED_PATH], struct lp_findings *findings,
		    struct lp_error *error)
{
	const char *file = lp_job_is_source(job->request->file) ? NULL : job->request->file;
	char object[96];

	lp_job_file(job, "program.o", -1, object);
	shared_name(false, job->folder, shared);
	const bool done = lp_units_take(&job->units, &job->link, file, job->folder, findings, error) &&
			  write_units(job, error) && lp_translate(job, object, error) && units_suffice(job, error) &&
			  link_all(job, object, shared, error);
	if (done)
		lp_cache_keep(&job->cache, shared, findings);
	return done;
}

/* The folder is opened when it is certain that one is needed. */
static bool open_folder(struct lp_job *job, char own[static 64], struct lp_error *error)
{
	job->folder = job->request->folder ? job->request->folder : own;
	return job->request->folder || lp_command_folder_open(own, error);
}

bool lp_compile(const struct lp_compile_request *request, char own[static 64], char shared[static LP_SHARED_PATH],
		struct lp_findings *findings, struct lp_error *error)
{
	struct lp_job job = { .request = request, .level = '1' };
	struct lp_recipe recipe;
	bool done = false;

	own[0] = '\0';
	lp_place_include(request, job.include);
	if (lp_job_sort(&job, error)) {
		job.sources.count = lp_job_is_kept(&job) ? 0 : job.sources.count;
		open_cache(&job, &recipe, false, true);
		done = lp_cache_find(&job.cache, shared, findings) ||
		       (open_folder(&job, own, error) && compile(&job, shared, findings, error));
	}
	lp_job_drop(&job);
	return done;
}

bool lp_compile_twin(const struct lp_compile_request *request, const char *folder, struct lp_error *error)
{
	struct lp_job job = { .request = request, .folder = folder };
	char bitcode[96];

	snprintf(bitcode, sizeof bitcode, "%s/twin.bc", folder);
	lp_place_include(job.request, job.include);
	bool done = lp_job_sort(&job, error);
	job.sources.count = done ? 1 : 0; /* whatever else stands there */
	done = done && lp_translate_source(&job, bitcode, error);
	lp_job_drop(&job);
	return done;
}

void lp_compile_include(char out[static 512])
{
	static const struct lp_compile_request none = { .file = "" };
	struct lp_job job = { .request = &none };

	lp_place_include(job.request, job.include);
	memcpy(out, job.include, sizeof job.include);
}

void lp_compile_begin_serving(uint32_t at_once)
{
	char path[512];

	lp_place_instrumenter(path);
	lp_keepers_open(path, at_once);
}

void lp_compile_end_serving(void)
{
	lp_keepers_close();
}

static bool compile_plain(struct lp_job *job, char shared[static LP_SHARED_PATH], struct lp_error *error)
{
	struct lp_command command = { 0 };
	char compiler[512], messages[96], list[96], linked[128];

	shared_name(true, job->folder, shared);
	lp_command_add(&command, lp_translate_compiler(job, job->sources.at[0], compiler));
	lp_translate_add_flags(job, &command);
	lp_translate_add_listing(job, &command, lp_job_file(job, "list", -1, list));
	for (uint32_t i = 0; i < job->compile.count; i++)
		lp_command_add(&command, job->compile.at[i]);
	/* What it leaves undefined is never called. */
	lp_command_add_all(&command, (const char *const[]){ "-O1", "-shared", "-fPIC", "-w", "-Wl,-z,lazy", "-o",
						 shared, NULL });
	/* A C++ library of its own: libstdc++.so was loaded for the program, and finds functions that work in the
	 * program's memory, and exceptions of the runtime's. */
	if (job->cplusplus)
		lp_command_add_all(&command, (const char *const[]){ "-static-libstdc++", "-static-libgcc",
							 "-Wl,-Bsymbolic,--exclude-libs,ALL", NULL });
	for (uint32_t i = 0; i < job->sources.count; i++)
		lp_command_add(&command, job->sources.at[i]);
	for (uint32_t i = 0; i < job->link.count; i++)
		if (job->link.at[i][0] == '-' || !lp_fat_is(job->link.at[i]))
			lp_command_add(&command, job->link.at[i]);
	snprintf(linked, sizeof linked, "-Wl,--dependency-file,%s/linked", job->folder);
	if (job->cache.on)
		lp_command_add(&command, linked);
	lp_job_capture(job, &command, "messages", -1);
	const bool done = lp_command_run(&command, "the compiler", error);
	if (job->cache.on)
		lp_recipe_note(job->cache.recipe, &job->cache.inputs);
	lp_cache_tell_source(&job->cache, lp_job_file(job, "messages", -1, messages), list);
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
	struct lp_job job = { .request = &plain, .level = '1' };
	struct lp_recipe recipe;

	own[0] = '\0';
	plain.client = false;
	lp_place_include(request, job.include);
	bool done = lp_job_sort(&job, error) &&
		    (job.sources.count ||
		     lp_fail(error, "a specification of one's own must be in a source file: linchpin check "
				    "HARNESS.c -- %s", request->file));
	if (done) {
		/* Of several sources, only the last one's list would stay. */
		open_cache(&job, &recipe, true, job.sources.count == 1 && !job.link.count);
		done = lp_cache_find(&job.cache, shared, NULL) ||
		       (open_folder(&job, own, error) && compile_plain(&job, shared, error));
	}
	lp_job_drop(&job);
	return done;
}
