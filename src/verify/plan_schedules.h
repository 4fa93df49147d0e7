/* plan_schedules.h -- clients with bounds on threads, too: the schedules of COLLECT.
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
 * All of them are counted.  Explored are as few as it takes to try all:
 *   - A thread that makes several calls is part of two threads that make them, as one may end
 *     before the other begins; so those with as many threads as there may be are explored, and the
 *     order in which their calls could come is the checker's concern.  A call that never returns
 *     leaves those after it unmade, which is a smaller schedule; if that is none of the
 *     configuration, as there are too many removals in it, the schedule is explored as it is.  And
 *     so it is if the object tells its callers apart.
 *   - Keys that the object compares at most have no names.
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

/* What arguments they have, in words. */
const char *lp_schedules_arguments(const struct lp_harness *);

/* Does the object's harness allow for them? */
bool lp_schedules_fit(const struct lp_plan *, const struct lp_schedules *, struct lp_error *);

/* Visits those to be explored, smallest first; `*all` is how many there are, explored or not.
 * False if visit() ended it. */
bool lp_plan_schedules(const struct lp_plan *, const struct lp_schedules *, uint64_t *all);

#endif
