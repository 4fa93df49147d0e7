/* own_spec.h -- the user's own specifications: LP_SPEC_OWN. */
#ifndef LP_VERIFY_TASK_OWN_SPEC_H
#define LP_VERIFY_TASK_OWN_SPEC_H

#include <stdbool.h>

struct lp_error;
struct lp_harness;
struct lp_kind;
struct lp_options;
struct lp_task;

/* Reads the object's harness.  The specification is that of --spec, or else the one that the harness names.  If `*own` is not NULL
 * afterwards, the caller passes it to dlclose() after closing the harness. */
bool lp_task_harness(struct lp_task *, struct lp_harness *, void **own, struct lp_error *);

/* The same as lp_task_harness(), if the specification is a program.  If the harness names no specification, the methods are taken
 * to be those of the built-in kind `spec`; if `spec` is "", nothing is known about the methods. */
bool lp_task_interface(struct lp_task *, struct lp_harness *, void **own, const char *spec, struct lp_error *);

/* Does the text of --spec name a source file, as "mine.c" or "mine.cpp:PARAM=1" does, rather than a built-in kind? */
bool lp_own_spec_is_file(const char *text);

/* Compiles and loads the specification in that file; `*handle` is for dlclose().  Returns NULL if it cannot be loaded.  --cc,
 * --no-compile-cache and the flags after -- apply to its compilation.  `*params` is the text after the colon, or NULL. */
const struct lp_kind *lp_own_spec_read(const char *text, const struct lp_options *, const char **params,
				       void **handle, struct lp_error *);

#endif
