/* blame.h -- what a harness may have forgotten to say. */
#ifndef LP_VERIFY_BLAME_H
#define LP_VERIFY_BLAME_H

struct lp_arena;
struct lp_harness;
struct lp_plan_client;

/* Does a thread of the client give back a lock, or a permit, that it has not taken, and does the harness let it?  Then what to
 * write there; else NULL. */
const char *lp_blame_after(const struct lp_harness *, const struct lp_plan_client *, struct lp_arena *);

#endif
