/* sampled_history.h -- histories of random executions of an object.
 *
 * Each call has a thread of its own.  The model is sc.  The scheduler gives threads random priorities, and changes them
 * a few times in each execution (explore/sample/pct.h).  A call lasts from the first to the last operation of its
 * thread.
 */
#ifndef LP_CLI_FIGURES_SAMPLED_HISTORY_H
#define LP_CLI_FIGURES_SAMPLED_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "verify/task/check_object.h"

struct lp_sampled_call {
	uint32_t method; /* the index of the method in the specification */
	int64_t arg, result;
	uint32_t start, end; /* times, which are all different; `end` is UINT32_MAX if the call never returned */
};

struct lp_sampled_history {
	uint32_t count;
	struct lp_sampled_call call[LP_CLIENT_CALLS];
};

typedef void lp_sampled_each(void *closure, const struct lp_sampled_history *);

struct lp_sampling {
	struct lp_check *check;
	uint32_t inserter, remover; /* indices of methods of the harness */
	uint64_t executions;        /* the number of executions to sample */
	uint32_t changes;           /* how often priorities change in an execution */
	uint64_t seed;
};

/* Finds the two methods.  Returns false if the object does not have both. */
bool lp_sampling_open(struct lp_sampling *, struct lp_check *, struct lp_error *);

/* Samples executions of a client with `inserts` insertions and `removes` removals.  Calls `each` for each history,
 * unless `each` is NULL.  Returns the CPU time in seconds, or a negative number with the error set. */
double lp_sampling_run(const struct lp_sampling *, uint32_t inserts, uint32_t removes, lp_sampled_each *each, void *closure,
		       struct lp_error *);

#endif
