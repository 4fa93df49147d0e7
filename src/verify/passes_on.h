/* passes_on.h -- does an object only pass its arguments on, or only compare them for equality?
 *
 * A specification may say that the values of arguments do not matter, as that of a queue does (LP_ARG_OPAQUE).  If the object does
 * not look at the values, either, it is enough to explore clients whose arguments are all different.  An object does not look at
 * values if an execution with other values performs the same operations, on the same locations, with the same outcomes, and its
 * calls return the same results, except that the other values take the place of the original ones (Wolper 1986).
 *
 * The function below checks that the object does not look at values.  The client is explored with values that are all different.
 * Each execution is then repeated with the same choices and with other values: with equal values, and with values in the reverse
 * order.  If there are at most four values, it is repeated with every other order of the values, too, including orders in which
 * some of them are equal.  Equal values and the reverse order alone are not enough: an object may act differently only if one value
 * lies between two others.  A repetition fails if it performs other operations than the execution, or if its results do not
 * correspond.
 *
 * If every execution was repeated in every order and no repetition failed, then every execution with other values is one of the
 * repetitions.  To see this, suppose that X is an execution with the other values that is not a repetition, and take the repetition that
 * agrees with X for longest.  Where the two first differ, they perform the same operation, but X makes another choice, for
 * example of the write that a read takes its value from.  Some execution with the original values makes that choice, too.  That
 * execution was repeated, and its repetition agrees with X for longer: a contradiction.  If there are too many executions, random ones
 * are repeated; if there are too many orders, each execution is repeated in some of them.
 *
 * The executions that are repeated come from two explorations.  Usually, explorations leave out attempts and iterations that change
 * nothing.  Whether they change anything may depend on values, so the first exploration leaves out none of them.  Loops that wait
 * would then go on without end, so they are left after a few rounds, and executions that need more rounds are missing.  The second
 * exploration uses the reductions with which the client was explored.  It contains the executions with more rounds, and those in
 * which calls wait forever.
 *
 * Often the first exploration has too many executions, and the second one leaves out the attempts that fail because
 * values are different:
 *
 *     value = load(&cell);
 *     ...                                the value is taken by another call, and an equal one is inserted
 *     if (cas(&cell, value, 0))          succeeds if the two values are equal, and fails otherwise
 *
 * So the check is also made in the opposite direction.  The client is explored with equal values, and with values in the reverse
 * order, and each of these executions is repeated with the original values.  An execution in which the compare-and-swap succeeds
 * cannot be repeated with the original values, so the check fails.  In this direction, those reductions are off that leave out
 * operations because another thread writes the same value.  If there are too many executions, random ones are repeated instead.  A
 * client that has too many executions with its own values is likely to have too many with other values, so its exploration is given
 * up earlier.
 *
 * An object may compare the values of a register for equality (LP_ARG_EQUAL).  The clients of such an object are explored with all
 * patterns of equal and different values, but not with all orders of these values.  So their executions are repeated with the
 * values in other orders.  In these repetitions, values that are different stay different, from each other and from the initial
 * value.
 *
 * If an object compares arguments with a constant that is not among the values that were tried, the check does not find it.
 */
#ifndef LP_VERIFY_PASSES_ON_H
#define LP_VERIFY_PASSES_ON_H

#include "explore/explore.h"
#include "verify/plan.h"

struct lp_native;

/* The effort for one client. */
struct lp_passes_effort {
	uint64_t executions;  /* the limit on the executions of each of the two explorations */
	uint64_t repetitions; /* the number of repetitions for the executions of one exploration.  But each execution is repeated at
			       * least twice.  In an exploration with other values, each execution is repeated once; the exploration
			       * has at most a few times `repetitions` executions */
	uint64_t known;       /* the client is known to have at least this many executions */
};

/* Repeats executions of the client, and adds the number of repetitions to `*spent`.  Returns true if no repetition failed. */
bool lp_passes_on(struct lp_native *, const struct lp_explore_options *, const struct lp_harness *,
		  const struct lp_plan_client *, struct lp_passes_effort, uint64_t *spent);

#endif
