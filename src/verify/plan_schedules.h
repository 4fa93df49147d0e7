/* plan_schedules.h -- clients with a bounded number of threads: the schedules of COLLECT.
 *
 * Davis and Siegel, "Model Checking Concurrent Collections" (2025), sections 4 and 5.2: a schedule
 * says which calls each thread makes, with their arguments, after some insertions.  Schedules that differ only in the order of
 * threads count as one (their option -threadSym).  Arguments are
 *
 *     where calls have keys (sets)       each of n values, n being the largest number of calls;
 *                                        insertions before the threads take the first values
 *     where values are ordered           different values in every order, and no more removals than
 *                                        insertions (-distinctPriorities, -addsDominant)
 *     elsewhere (queues)                 0, 1, 2, ... in turn (-genericVals)
 *
 * All schedules are counted, but only some need to be explored:
 *   - Consider a thread with several calls, and two threads that share these calls.  The executions of the one thread are among those
 *     of the two threads, since one of the two may end before the other starts.  So only schedules with the largest number of
 *     threads are explored, and the checker considers the orders of their calls.  If a call never
 *     returns, the thread does not make the calls after it; this execution belongs to a smaller schedule.  There are two
 *     exceptions, in which a schedule is explored as it is: the smaller schedule has too many
 *     removals for the configuration; or the object distinguishes its callers.
 *   - If the object only compares keys, schedules that differ only in the names of keys are explored
 *     once.
 */
#ifndef LP_VERIFY_PLAN_SCHEDULES_H
#define LP_VERIFY_PLAN_SCHEDULES_H

#include "verify/plan.h"

struct lp_schedules {
	uint32_t calls, threads; /* the largest numbers: 1 .. `calls` calls, 1 .. `threads` threads */
	uint32_t pre;            /* 0 .. `pre` insertions before the threads */
};

/* Parses the name of a configuration of COLLECT, "A" to "E", or "CALLS,THREADS,PRE".  In a synchronous queue insertions block, so
 * they cannot come before the threads: a named configuration then has PRE more calls instead. */
bool lp_schedules_parse(const struct lp_harness *, const char *text, struct lp_schedules *,
			struct lp_error *);

/* Returns a description of the arguments that schedules have. */
const char *lp_schedules_arguments(const struct lp_harness *);

/* Does the object's harness allow these schedules? */
bool lp_schedules_fit(const struct lp_plan *, const struct lp_schedules *, struct lp_error *);

/* Visits the schedules that need to be explored, smallest first.  `*all` is the number of all
 * schedules.  Returns false if visit() ended the enumeration. */
bool lp_plan_schedules(const struct lp_plan *, const struct lp_schedules *, uint64_t *all);

#endif
