/* sites.h -- the memory orders of the program's sites, and which sites were reached.
 *
 * Hooks read the order of an access from its site each time (frontend/abi.h).  So changing the site's
 * record changes the program for all later executions, without compiling it.  The runtime keeps
 * nothing between two explorations that depends on memory orders.
 */
#ifndef LP_RUNTIME_HOOKS_SITES_H
#define LP_RUNTIME_HOOKS_SITES_H

#include <stdint.h>

#include "base/order.h"
#include "frontend/load/site_names.h"

struct lp_native;

const struct lp_module *lp_native_module(struct lp_native *);

/* Sets the orders of the site; `fail` is the failure order of a compare-exchange.
 * A fence with LP_RLX is not performed.  With LP_PLAIN a fence is an operation without effect, so
 * that an execution has the same steps with and without the fence.  The function must not be called
 * during an execution. */
void lp_native_set_order(struct lp_native *, uint32_t site, enum lp_order, enum lp_order fail);

/* How a site was reached, in any execution since the program was opened or lp_native_unreach() was
 * called, as bits.  Before the other threads start, thread 0 sets the object up and may make calls;
 * after they end, it runs invariants and tear-downs. */
enum lp_reached {
	LP_REACHED_ALONE = 1,        /* by thread 0 */
	LP_REACHED_ALONE_FAILED = 2, /* by thread 0; a compare-exchange failed there */
	LP_REACHED = 4,              /* by another thread */
	LP_REACHED_FAILED = 8, /* by another thread; a compare-exchange failed there */
	LP_REACHED_SPURIOUS = 16,    /* a compare-exchange failed although it found the expected value */
	LP_REACHED_ACQUIRED = 32,    /* lp_native_exercised() sets this bit and the next */
	LP_REACHED_RELEASED = 64,
};
unsigned lp_native_reached(struct lp_native *, uint32_t site);
/* Has an execution since the program was opened reached a place where the mutant differs?  Returns bits
 * of enum lp_mutant_seen.  The program must have been compiled to list all mutants. */
unsigned lp_native_mutant_seen(struct lp_native *, uint32_t mutant);
void lp_native_unreach(struct lp_native *);
/* Adds bits to those of the site at `pc`, if there is one. */
void lp_native_exercised(struct lp_native *, uintptr_t pc, unsigned how);

#endif
