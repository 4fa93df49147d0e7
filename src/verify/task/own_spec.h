/* own_spec.h -- the user's own specifications: LP_SPEC_OWN. */
#ifndef LP_VERIFY_TASK_OWN_SPEC_H
#define LP_VERIFY_TASK_OWN_SPEC_H

#include <stdbool.h>

struct lp_error;
struct lp_kind;
struct lp_options;
struct lp_task;

/* The specification in an object's source, from a build without hooks, because linchpin itself calls it.  If `*handle` is
 * not NULL, it is to be closed with dlclose() when the kind is no longer needed.  NULL if the specification cannot be
 * loaded. */
const struct lp_kind *lp_own_spec(const struct lp_task *, void **handle, struct lp_error *);

/* Is it the name of a source file, "mine.c" or "mine.cpp:PARAM=1", rather than of a kind? */
bool lp_own_spec_is_file(const char *text);

/* The specification in that file, likewise; --cc, --no-compile-cache and the flags after -- apply to its compilation.
 * `*params` is the text after the colon, or NULL. */
const struct lp_kind *lp_own_spec_read(const char *text, const struct lp_options *, const char **params,
				       void **handle, struct lp_error *);

#endif
