/* translate.h -- from sources to one instrumented object. */
#ifndef LP_FRONTEND_COMPILE_TRANSLATE_H
#define LP_FRONTEND_COMPILE_TRANSLATE_H

#include <stdbool.h>

#include "base/error.h"

struct lp_command;
struct lp_job;

/* linchpin-fe's exit status if there is no program since a compiler has failed, which has said why. */
#define LP_COMPILER_FAILED 3
/* If there is no mutant of the name that is asked for. */
#define LP_NO_SUCH_MUTANT 4

/* All sources and units of the job become one object file.  Sets what the job still wants. */
bool lp_translate(struct lp_job *, const char *object, struct lp_error *);

/* The first source alone becomes a file of bitcode. */
bool lp_translate_source(struct lp_job *, const char *bitcode, struct lp_error *);

/* The compiler for a source; `room` may be used for its name. */
const char *lp_translate_compiler(const struct lp_job *, const char *source, char room[static 512]);

/* Flags before the user's can be overridden by them. */
void lp_translate_add_flags(const struct lp_job *, struct lp_command *);

/* If the result is to be kept, clang lists what it reads, and where it looks for it. */
void lp_translate_add_listing(const struct lp_job *, struct lp_command *, const char *list);

#endif
