/* blame.h -- what a harness may have forgotten to say. */
#ifndef LP_VERIFY_BLAME_H
#define LP_VERIFY_BLAME_H

#include <stdbool.h>
#include <stdint.h>

struct lp_arena;
struct lp_harness;

/* A call that was made; those of a thread in their order. */
struct lp_blame_call {
	uint32_t thread, method; /* of the harness */
	bool returned;
	int64_t result;
};

/* Does a thread give back a lock, or a permit, that it has not taken, and does the harness let it?  Then what to write there;
 * else NULL. */
const char *lp_blame_after(const struct lp_harness *, const struct lp_blame_call *, uint32_t count, struct lp_arena *);

#endif
