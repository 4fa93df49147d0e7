/* recipe.h -- describes a compilation completely, and decides whether its result may be kept.
 *
 * A result is kept only if each flag is in flags.def or is about warnings.  Such flags make the result depend on no files other
 * than those that clang lists as read.
 */
#ifndef LP_FRONTEND_CACHE_RECIPE_H
#define LP_FRONTEND_CACHE_RECIPE_H

#include <limits.h>
#include <stdbool.h>

#include "base/digest.h"

struct lp_command;
struct lp_inputs;

struct lp_recipe {
	char what[384];        /* the kind of result, and all settings that concern no file */
	bool own;              /* linchpin-fe translates the sources itself */
	const char *compiler;  /* the name by which the compiler is called; with `own`, the path of the executable that
			        * linchpin-fe replaces */
	const char *compilerxx; /* the name by which the C++ compiler is called; NULL if there is no C++ source */
	const char *instrumenter; /* linchpin-fe; NULL if it is not used */
	const char *linker;
	const char *include;   /* the folder of linchpin.h */
	const struct lp_command *sources, *compile, *link;
	char room[2][512];     /* memory for names to which members above point */
};

/* Is each flag in flags.def or about warnings, and does no environment variable add flags? */
bool lp_recipe_is_plain(const struct lp_command *compile);

/* Computes the key: a digest of the command, the contents of the sources and of the files that are linked, the environment, the working
 * folder, and the identity of the programs.  Returns false if the result must not be kept. */
bool lp_recipe_key(const struct lp_recipe *, struct lp_digest *key);

/* Notes those inputs in the file system that affect the compiler, linchpin-fe and the linker. */
void lp_recipe_note(const struct lp_recipe *, struct lp_inputs *);

#endif
