/* own_spec.h -- the specification that an object brings with it: LP_SPEC_OWN. */
#ifndef LP_CLI_OWN_SPEC_H
#define LP_CLI_OWN_SPEC_H

struct lp_error;
struct lp_kind;
struct lp_task;

/* From a build without hooks, for it is called by us.  `*handle` is to be given back with
 * dlclose() when nobody needs the kind any more, if it is not NULL; the answer is NULL if it
 * cannot be had. */
const struct lp_kind *lp_own_spec(const struct lp_task *, void **handle, struct lp_error *);

#endif
