/* passes_on.h -- does an object only pass its arguments on?
 *
 * A specification may say that the values of arguments do not matter, as a queue's does (LP_ARG_OPAQUE).  Then it is enough to
 * try different values, provided that the object does not look at them either: an execution with other values performs the
 * same operations, on the same locations, with the same outcomes, and its calls return the same results, with the other
 * values in the place of the original ones (Wolper 1986).
 *
 * This is checked, not believed.  Each execution of a client with different values is repeated twice with the same choices:
 * once with all values 1, and once with n + 2 - v in the place of each value v, where n is the greatest value, so that the
 * order is reversed.  If the object compares two values for equality, or by their order, the comparison has another outcome
 * in one of the two repetitions.  A repetition fails if it performs other operations than the execution, or if its results
 * do not correspond.  If every complete execution was repeated and none failed, then the executions with the other values
 * are just the repetitions.  To see this, take an execution X with the other values that is not one of them, and the
 * repetition that agrees with X for longest.  Where the two first differ, they perform the same operation, but X makes
 * another choice, for example of the write that a read takes its value from.  Some execution with different values
 * makes that choice, too.  It was repeated, and its repetition agrees with X for longer.  If a client has too many
 * executions, random ones are repeated.
 *
 * The check does not find an object that compares arguments with a constant other than the values
 * that were tried.
 */
#ifndef LP_VERIFY_PASSES_ON_H
#define LP_VERIFY_PASSES_ON_H

#include "explore/explore.h"
#include "verify/plan.h"

struct lp_native;

/* How many executions of a client are repeated: all of them, if there are at most `most`; otherwise, or if
 * `random` is set, `most` random ones. */
struct lp_passes_effort {
	uint64_t most;
	bool random;
};

/* Repeats executions of the client, at most `*budget` of them, and reduces `*budget` by their number.  Returns true if no
 * repetition failed. */
bool lp_passes_on(struct lp_native *, const struct lp_explore_options *, const struct lp_harness *, const struct lp_plan_client *,
		  struct lp_passes_effort, uint64_t *budget);

#endif
