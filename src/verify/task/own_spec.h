/* own_spec.h -- specifications of the user's: LP_SPEC_OWN. */
#ifndef LP_VERIFY_TASK_OWN_SPEC_H
#define LP_VERIFY_TASK_OWN_SPEC_H

#include <stdbool.h>

struct lp_error;
struct lp_kind;
struct lp_options;
struct lp_task;

/* The one that an object brings with it, from a build without hooks, for it is called by us.  `*handle` is to be given
 * back with dlclose() when the kind is no longer needed, if it is not NULL; the answer is NULL if it
 * cannot be had. */
const struct lp_kind *lp_own_spec(const struct lp_task *, void **handle, struct lp_error *);

/* Is it the name of a source file, "mine.c" or "mine.cpp:PARAM=1", rather than of a kind? */
bool lp_own_spec_is_file(const char *text);

/* The one in that file, as above; --cc, --no-compile-cache and the flags after -- are for its compiler.  `*params` is
 * what follows the colon, or NULL. */
const struct lp_kind *lp_own_spec_read(const char *text, const struct lp_options *, const char **params,
				       void **handle, struct lp_error *);

#endif
