/* job.h -- one compilation: the request, divided into the inputs of each step.
 *
 * Private to compile.c and translate.c.
 */
#ifndef LP_FRONTEND_COMPILE_JOB_H
#define LP_FRONTEND_COMPILE_JOB_H

#include <stdbool.h>

#include "base/error.h"
#include "frontend/cache/cache.h"
#include "frontend/cache/includes.h"
#include "frontend/compile/command.h"
#include "frontend/compile/compile.h"
#include "frontend/compile/units.h"

struct lp_job {
	const struct lp_compile_request *request;
	const char *folder;
	struct lp_command sources, compile, link; /* the sources; the flags for the compiler; the flags for the linker */
	struct lp_command linked; /* a copy of `link` before units.h changes it */
	char level;               /* the level of optimisation: 0 to 3 */
	bool cplusplus;
	const char *own;          /* if linchpin-fe translates the sources itself: the result of lp_place_own_clang(); else NULL */
	struct lp_units units;    /* the files that `linchpin cc` has compiled before (fat.h) */
	struct lp_names files;    /* for each unit, the file of its bitcode; NULL if there is no such file */
	char include[512];
	struct lp_cache cache;
	struct lp_names wanted;   /* the symbols that the program uses and does not define; sorted by lp_job_sort_wanted() */
};

/* According to its name, is the file a C++ source?  Is it a source file of any language? */
bool lp_job_is_cplusplus(const char *name);
bool lp_job_is_source(const char *name);

/* Does the job make a mutant from a program that was kept?  If so, no source is translated. */
static inline bool lp_job_is_kept(const struct lp_job *job)
{
	return job->request->mutant && job->request->mutants;
}

/* Sorts the request's file and flags into sources and flags for the compiler and the linker. */
bool lp_job_sort(struct lp_job *, struct lp_error *);
void lp_job_drop(struct lp_job *);

/* Writes the path of a file in the folder: FOLDER/NAME, or FOLDER/NAME3 for number 3. */
const char *lp_job_file(const struct lp_job *, const char *name, int number, char path[static 96]);

/* Makes the command print to the file lp_job_file(name, number).  The messages are needed in a file because several commands may
 * run at once, and because messages are kept with the result. */
void lp_job_capture(const struct lp_job *, struct lp_command *, const char *name, int number);

/* Should the compiler colour its messages? */
bool lp_job_has_colours(void);

/* Adds a copy of the word to the command; `kept` owns the copy. */
void lp_job_add_kept(struct lp_names *kept, struct lp_command *, const char *word);

void lp_job_sort_wanted(struct lp_job *);
/* Is the symbol in `wanted`? */
bool lp_job_wants(const struct lp_job *, const char *name);

#endif
