/* passes_on.h -- does an object only pass its arguments on?
 *
 * A specification may say that the values of arguments do not matter, as a queue's does (LP_ARG_OPAQUE).  Then it is enough to
 * try different values, provided that the object does not look at them either: an execution with other values performs the
 * same operations, on the same locations, with the same outcomes, and its calls return the same results, except that other
 * values take the place of the values (Wolper 1986).
 *
 * This is checked, not believed.  Executions of a client with different values are repeated, with the same choices, with other
 * values: all of them equal, in the reverse order, and, for up to four values, in every other order in which some may be equal.
 * One order is not enough.  The object need not do anything else after a comparison: if it looks for a value that is between two
 * others, only an order with such a value shows this.  If every execution is repeated in every order, then no execution with
 * other values can differ from all those with different values: where it differs first, the operation has another outcome than
 * in an execution that was repeated.  If there are too many executions, random ones are repeated; if there are too many orders,
 * each execution is repeated in some.
 *
 * The executions come from two explorations.  Whether an attempt or an iteration changes anything may depend on values, so the
 * first one keeps all of them; but loops that wait would go on without end, so they end after a few rounds, and with them
 * executions with loops that need more.  The second one has the reductions that the client was explored with.  So it has these
 * executions, and those in which calls wait forever.
 *
 * What is not found is an object that compares values with a constant that is not among them.
 */
#ifndef LP_VERIFY_PASSES_ON_H
#define LP_VERIFY_PASSES_ON_H

#include "explore/explore.h"
#include "verify/plan.h"

struct lp_native;

/* The effort for one client. */
struct lp_passes_effort {
	uint64_t executions;  /* so many are explored at most, in each of two ways */
	uint64_t repetitions; /* so many of these in all; but each execution is repeated at least twice */
};

/* Repeats executions of the client, and adds the number of repetitions to `*spent`.  True if all of them are as described above. */
bool lp_passes_on(struct lp_native *, const struct lp_explore_options *, const struct lp_harness *,
		  const struct lp_plan_client *, struct lp_passes_effort, uint64_t *spent);

#endif
