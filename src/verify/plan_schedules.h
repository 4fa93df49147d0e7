/* plan_schedules.h -- clients with a bounded number of threads: the schedules of COLLECT.
 *
 * Davis and Siegel, "Model Checking Concurrent Collections" (2025), sections 4 and 5.2: a schedule says which insertions are made
 * first, and which calls, with which arguments, each thread then makes.  Schedules that differ only in the order of threads count
 * as one (COLLECT's option -threadSym).  The arguments depend on the kind of object:
 *
 *     where calls have keys (sets)       every combination of n values, where n is the largest number of calls;
 *                                        insertions before the threads take the first values
 *     where values are ordered           different values, in every order.  No schedule has more removals than
 *                                        insertions (-distinctPriorities, -addsDominant)
 *     elsewhere (queues)                 0, 1, 2, ... in turn (-genericVals)
 *
 * All schedules are counted, but only some need to be explored:
 *   - If the calls of one thread are divided between two threads, all its executions remain possible, since one of the two
 *     threads may end before the other starts.  So only schedules with the largest number of threads are explored, and the
 *     checker considers the orders of their calls.  If a call never returns, its thread does not make the calls after it; this
 *     execution then belongs to a smaller schedule.  In two cases, a schedule with fewer threads is explored as it is: if the
 *     smaller schedule has too many removals for the configuration; and if the object distinguishes its callers.
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
