/* sites.h -- the program's sites: with which memory orders they run, and which were reached.
 *
 * Hooks read the order of an access from its site each time (frontend/abi.h).  Changing the record
 * changes the program for all executions that begin later, without compiling anything.  Nothing that
 * is kept between two explorations depends on memory orders.
 */
#ifndef LP_RUNTIME_HOOKS_SITES_H
#define LP_RUNTIME_HOOKS_SITES_H

#include <stdint.h>

#include "base/order.h"
#include "frontend/load/site_names.h"

struct lp_native;

const struct lp_module *lp_native_module(struct lp_native *);

/* From now on these are the orders of the site; `fail` is that of a compare-exchange that fails.
 * A fence with LP_RLX is not performed.  With LP_PLAIN it is an operation without effect, so that an
 * execution has the same steps whether the fence is there or not.
 * Must not be called while an execution is under way. */
void lp_native_set_order(struct lp_native *, uint32_t site, enum lp_order, enum lp_order fail);

/* How a site was reached, in any execution since the program was opened or lp_native_unreach(): bits.
 * Thread 0 sets objects up, makes the calls before the threads start and those after their end. */
enum lp_reached {
	LP_REACHED_ALONE = 1,        /* by thread 0 */
	LP_REACHED_ALONE_FAILED = 2, /* by thread 0, a compare-exchange that failed */
	LP_REACHED = 4,              /* by another thread */
	LP_REACHED_FAILED = 8,
	LP_REACHED_SPURIOUS = 16,    /* a compare-exchange failed although it found what it expected */
	LP_REACHED_ACQUIRED = 32,    /* these are told by lp_native_exercised() */
	LP_REACHED_RELEASED = 64,
};
unsigned lp_native_reached(struct lp_native *, uint32_t site);
/* Was there a place, in any execution since the program was opened, in which a mutant differs?  Bits of enum
 * lp_mutant_seen, of a program that was compiled for all of them to be listed. */
unsigned lp_native_mutant_seen(struct lp_native *, uint32_t mutant);
void lp_native_unreach(struct lp_native *);
/* Adds bits to what is known of the site at `pc`, if there is one. */
void lp_native_exercised(struct lp_native *, uintptr_t pc, unsigned how);

#endif
