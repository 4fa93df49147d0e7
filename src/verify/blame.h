/* blame.h -- a declaration that a harness may lack. */
#ifndef LP_VERIFY_BLAME_H
#define LP_VERIFY_BLAME_H

struct lp_arena;
struct lp_harness;
struct lp_plan_client;

/* If a thread of the client releases a lock or a permit that it has not acquired, because the harness allows it: the
 * declaration to add.  Otherwise NULL. */
const char *lp_blame_after(const struct lp_harness *, const struct lp_plan_client *, struct lp_arena *);

#endif
