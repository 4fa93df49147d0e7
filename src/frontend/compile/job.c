/* job.c -- one compilation: the request, divided into the inputs of each step. */
#define _GNU_SOURCE
#include "frontend/compile/job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "frontend/cache/recipe.h"
#include "frontend/compile/binary.h"
#include "frontend/compile/places.h"

const char *lp_job_file(const struct lp_job *job, const char *name, int number, char path[static 96])
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

bool lp_job_is_cplusplus(const char *name)
{
	return ends_in(name, (const char *const[]){ ".cc", ".cpp", ".cxx", ".C", ".c++",
						    ".ii", NULL });
}

bool lp_job_is_source(const char *name)
{
	return lp_job_is_cplusplus(name) || ends_in(name, (const char *const[]){ ".c", ".i", NULL });
}

static bool is_linked(const char *name)
{
	return ends_in(name, (const char *const[]){ ".o", ".a", ".so", NULL }) ||
	       lp_binary_kind(name) != LP_BINARY_NONE;
}

static bool is_one_of(const char *flag, const char *const *flags)
{
	while (*flags && strcmp(flag, *flags))
		flags++;
	return *flags;
}

/* Does the flag take the next argument as its own? */
static bool takes_argument(const char *flag)
{
	static const char *const flags[] = {
		"-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter", "-imacros",
		"-x", "-MF", "-MT", "-MQ", "-Xpreprocessor", "-Xassembler", "--param", "-mllvm",
		"-target", "-Xclang", NULL
	};

	return is_one_of(flag, flags);
}

/* Flags with which something else would come out than a program that can be loaded. */
static bool is_possible(const char *flag, struct lp_error *error)
{
	static const char *const other[] = { "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-emit-ast",
					     "--analyze", "-###", NULL };
	static const char *const narrow[] = { "-m32", "-mx32", "-m16", NULL };

	if (is_one_of(flag, other) || !strncmp(flag, "-o", 2))
		return lp_fail(error, "'%s' is not supported here: linchpin decides what the compiler writes, and where",
			       flag);
	if (is_one_of(flag, narrow))
		return lp_fail(error, "'%s' is not supported: addresses have 64 bits in every program that is checked",
			       flag);
	return true;
}

bool lp_job_sort(struct lp_job *job, struct lp_error *error)
{
	const char *const *flag = job->request->flags;

	lp_command_add(!lp_job_is_source(job->request->file) && is_linked(job->request->file) ?
		       &job->link : &job->sources, job->request->file);
	for (; flag && *flag; flag++) {
		if (!is_possible(*flag, error))
			return false;
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
		} else if ((*flag)[0] != '-' && lp_job_is_source(*flag)) {
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
		if (!lp_job_is_source(job->sources.at[i]))
			return lp_fail(error, "'%s' is neither a C nor a C++ file by its name",
				       job->sources.at[i]);
		job->cplusplus |= lp_job_is_cplusplus(job->sources.at[i]);
	}
	/* Flags that we do not know might be about more than the translation of one file. */
	job->own = lp_recipe_is_plain(&job->compile) ? lp_place_own_clang(job->request) : NULL;
	return true;
}

void lp_job_capture(const struct lp_job *job, struct lp_command *command, const char *name, int number)
{
	char path[96];

	command->messages = open(lp_job_file(job, name, number, path),
				 O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

bool lp_job_has_colours(void)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	return isatty(2) && term && strcmp(term, "dumb") && (!no || !*no);
}

void lp_job_add_kept(struct lp_names *kept, struct lp_command *command, const char *word)
{
	LP_PUSH(kept, lp_strdup(word));
	lp_command_add(command, LP_LAST(kept));
}

void lp_job_drop(struct lp_job *job)
{
	lp_command_drop(&job->sources);
	lp_command_drop(&job->compile);
	lp_command_drop(&job->link);
	lp_command_drop(&job->linked);
	lp_names_drop(&job->files);
	lp_names_drop(&job->wanted);
	lp_units_drop(&job->units);
	lp_cache_close(&job->cache);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void lp_job_sort_wanted(struct lp_job *job)
{
	if (job->wanted.count)
		qsort(job->wanted.at, job->wanted.count, sizeof *job->wanted.at, by_name);
}

bool lp_job_wants(const struct lp_job *job, const char *name)
{
	return job->wanted.count &&
	       bsearch(&name, job->wanted.at, job->wanted.count, sizeof *job->wanted.at, by_name);
}
