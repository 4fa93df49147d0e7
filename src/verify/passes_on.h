/* passes_on.h -- does an object only pass its arguments on?
 *
 * A specification may say that the values of arguments do not matter, as a queue's does (LP_ARG_OPAQUE).  Then it is enough to
 * try different values, provided that the object does not look at them either: an execution with other values performs the
 * same operations, on the same locations, with the same outcomes, and its calls return the same results, except that other
 * values take the place of the values (Wolper 1986).
 *
 * This is checked, not believed.  Executions of a client with different values are repeated, with the same choices, once
 * with all values equal and once with greater values in the reverse order.  Any comparison of two values for equality, or by
 * their order, has another outcome in one of the two.  If every complete execution is repeated, then no execution with these
 * other values can differ from all those with different values: where it differs first, the operation has another outcome
 * than in an execution that was repeated.  If a client has too many executions, random ones are repeated.
 *
 * What is not found is an object that compares values with a constant that is not among them.
 */
#ifndef LP_VERIFY_PASSES_ON_H
#define LP_VERIFY_PASSES_ON_H

#include "explore/explore.h"
#include "verify/plan.h"

struct lp_native;

/* How many executions of a client are repeated: all of them, but at most `most`; or that many random ones. */
struct lp_passes_effort {
	uint64_t most;
	bool random;
};

/* Repeats executions of the client, at most `*budget`, which is reduced by their number.  True if all of them are as described
 * above. */
bool lp_passes_on(struct lp_native *, const struct lp_explore_options *, const struct lp_harness *, const struct lp_plan_client *,
		  struct lp_passes_effort, uint64_t *budget);

#endif
