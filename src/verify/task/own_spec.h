/* own_spec.h -- the user's own specifications: LP_SPEC_OWN. */
#ifndef LP_VERIFY_TASK_OWN_SPEC_H
#define LP_VERIFY_TASK_OWN_SPEC_H

#include <stdbool.h>

struct lp_error;
struct lp_harness;
struct lp_kind;
struct lp_options;
struct lp_task;

/* Reads the object's harness, with the specification that it names, or that of --spec.  If `*own` is not NULL afterwards, the caller passes
 * it to dlclose() after it has closed the harness. */
bool lp_task_harness(struct lp_task *, struct lp_harness *, void **own, struct lp_error *);

/* The same if the specification is a program.  If the harness names no specification, its methods are those of the built-in kind `spec`; if
 * `spec` is "", nothing is known about them. */
bool lp_task_interface(struct lp_task *, struct lp_harness *, void **own, const char *spec, struct lp_error *);

/* Does the text name a source file, "mine.c" or "mine.cpp:PARAM=1", rather than a kind? */
bool lp_own_spec_is_file(const char *text);

/* Compiles and loads the specification in that file; `*handle` is for dlclose().  Returns NULL if it cannot be loaded.  --cc,
 * --no-compile-cache and the flags after -- apply to its compilation.  `*params` is the text after the colon, or NULL. */
const struct lp_kind *lp_own_spec_read(const char *text, const struct lp_options *, const char **params,
				       void **handle, struct lp_error *);

#endif
