/* plan_schedules.h -- clients with a bounded number of threads: the schedules of COLLECT.
 *
 * Davis and Siegel, "Model Checking Concurrent Collections" (2025), sections 4 and 5.2: a schedule
 * says which calls each thread makes, with their arguments, after some insertions.  Threads have
 * no names (their -threadSym).  Arguments are
 *
 *     where calls have keys (sets)       every one of as many values as there can be calls;
 *                                        what is inserted before is the first of them
 *     where values are ordered           different ones, in every order; and no more removals than
 *                                        insertions (-distinctPriorities, -addsDominant)
 *     elsewhere (queues)                 0, 1, 2, ... in turn (-genericVals)
 *
 * All schedules are counted, but only some need to be explored:
 *   - The executions of a thread with several calls are among those of two threads that share these
 *     calls, since one may end before the other starts.  So only schedules with the largest number of
 *     threads are explored, and the checker considers the orders of their calls.  If a call never
 *     returns, the calls after it are not made, which is a smaller schedule.  If that one is not part
 *     of the configuration, because it has too many removals, the schedule is explored as it is; and
 *     so it is if the object distinguishes its callers.
 *   - Keys that the object at most compares have no names.
 */
#ifndef LP_VERIFY_PLAN_SCHEDULES_H
#define LP_VERIFY_PLAN_SCHEDULES_H

#include "verify/plan.h"

struct lp_schedules {
	uint32_t calls, threads; /* 1 .. */
	uint32_t pre;            /* 0 .. insertions before the threads */
};

/* A configuration of theirs, "A" to "E", or "CALLS,THREADS,PRE".  A blocking insertion cannot
 * come before the threads: synchronous queues have a further call instead. */
bool lp_schedules_parse(const struct lp_harness *, const char *text, struct lp_schedules *,
			struct lp_error *);

/* A description of their arguments. */
const char *lp_schedules_arguments(const struct lp_harness *);

/* Does the object's harness allow these schedules? */
bool lp_schedules_fit(const struct lp_plan *, const struct lp_schedules *, struct lp_error *);

/* Visits those to be explored, smallest first; `*all` is how many there are, explored or not.
 * False if visit() ended it. */
bool lp_plan_schedules(const struct lp_plan *, const struct lp_schedules *, uint64_t *all);

#endif
