/* own_spec.h -- the user's own specifications: LP_SPEC_OWN. */
#ifndef LP_VERIFY_TASK_OWN_SPEC_H
#define LP_VERIFY_TASK_OWN_SPEC_H

#include <stdbool.h>

struct lp_error;
struct lp_harness;
struct lp_kind;
struct lp_options;
struct lp_task;

/* The object's harness, with the specification that it names, or that of --spec.  If `*own` is not NULL, the
 * caller passes it to dlclose() when the harness is closed. */
bool lp_task_harness(struct lp_task *, struct lp_harness *, void **own, struct lp_error *);

/* The same if the specification is a program.  A harness that names none is taken to be of the kind `spec`, a built-in one,
 * or, if that is empty, of a kind without properties. */
bool lp_task_interface(struct lp_task *, struct lp_harness *, void **own, const char *spec, struct lp_error *);

/* Is it the name of a source file, "mine.c" or "mine.cpp:PARAM=1", rather than of a kind? */
bool lp_own_spec_is_file(const char *text);

/* The specification in that file, with a handle for dlclose(); NULL if it cannot be loaded.  --cc, --no-compile-cache and the flags after -- apply to its compilation.
 * `*params` is the text after the colon, or NULL. */
const struct lp_kind *lp_own_spec_read(const char *text, const struct lp_options *, const char **params,
				       void **handle, struct lp_error *);

#endif
