/* blame.h -- a declaration that a harness may lack. */
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

/* If a thread releases a lock or a permit that it has not acquired, because the harness allows it: the
 * declaration to add.  Otherwise NULL. */
const char *lp_blame_after(const struct lp_harness *, const struct lp_blame_call *, uint32_t count, struct lp_arena *);

#endif
