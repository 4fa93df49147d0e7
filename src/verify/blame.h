/* blame.h -- finds a declaration that a harness lacks, such as LP_AFTER("unlock", "lock"). */
#ifndef LP_VERIFY_BLAME_H
#define LP_VERIFY_BLAME_H

#include <stdbool.h>
#include <stdint.h>

struct lp_arena;
struct lp_harness;

/* A call of a client.  In an array of calls, those of one thread are in the order in which the thread makes them. */
struct lp_blame_call {
	uint32_t thread, method; /* the index of the method in the harness */
	bool returned;
	int64_t result;
};

/* If a thread releases a lock or a permit that it has not acquired, the harness should forbid
 * such clients.  In that case the function returns the declaration to add; otherwise NULL. */
const char *lp_blame_after(const struct lp_harness *, const struct lp_blame_call *, uint32_t count, struct lp_arena *);

#endif
