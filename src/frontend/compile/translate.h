/* translate.h -- from sources to one instrumented object. */
#ifndef LP_FRONTEND_COMPILE_TRANSLATE_H
#define LP_FRONTEND_COMPILE_TRANSLATE_H

#include <stdbool.h>

#include "base/error.h"

struct lp_command;
struct lp_job;

/* The exit status of linchpin-fe if a compiler has failed.  The compiler has printed the reason. */
#define LP_COMPILER_FAILED 3
/* The exit status of linchpin-fe if there is no mutant with the requested name. */
#define LP_NO_SUCH_MUTANT 4

/* Translates all sources and units of the job into one object file.  Sets job->wanted. */
bool lp_translate(struct lp_job *, const char *object, struct lp_error *);

/* Translates the first source into a file of bitcode. */
bool lp_translate_source(struct lp_job *, const char *bitcode, struct lp_error *);

/* Returns the compiler for a source.  The name may be stored in `room`. */
const char *lp_translate_compiler(const struct lp_job *, const char *source, char room[static 512]);

/* Adds the flags that come before the user's flags, which can override them. */
void lp_translate_add_flags(const struct lp_job *, struct lp_command *);

/* If the result is to be kept, adds flags that make clang list the files it reads and the folders
 * it searches. */
void lp_translate_add_listing(const struct lp_job *, struct lp_command *, const char *list);

#endif
