/* lattice.h -- the memory orders that an operation can have, and which orders are weaker than others.
 *
 *          seq_cst
 *          acq_rel            a load, and a compare-exchange that fails: relaxed, acquire, seq_cst
 *          /     \            a store: relaxed, release, seq_cst
 *     acquire   release       a read-modify-write and a fence: all of them
 *          \     /
 *          relaxed            a relaxed fence has no effect: "none"
 */
#ifndef LP_ORDERS_LATTICE_H
#define LP_ORDERS_LATTICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/order.h"

enum lp_order_use { LP_USE_LOAD, LP_USE_STORE, LP_USE_RMW, LP_USE_FAILURE, LP_USE_FENCE };
enum { LP_ORDERS = LP_SC + 1 };

/* Can an operation of that kind have the order? */
bool lp_order_fits(enum lp_order_use, enum lp_order);

/* Is `a` weaker than `b`, or equal to it? */
static inline bool lp_order_weaker(enum lp_order a, enum lp_order b)
{
	return a == b || a == LP_RLX || b == LP_SC || (b == LP_ACQREL && (a == LP_ACQ || a == LP_REL));
}

/* Returns the name of an order: "relaxed", "acq_rel"; for a relaxed fence, "none". */
const char *lp_order_name(enum lp_order_use, enum lp_order);
/* Returns the order of that name.  Returns LP_PLAIN if there is no such order, or if an operation of that kind
 * cannot have it. */
enum lp_order lp_order_named(enum lp_order_use, const char *name);

/* The cost of orders on a processor; only ratios are meaningful. */
enum lp_order_target { LP_TARGET_GENERIC, LP_TARGET_X86, LP_TARGET_ARM };
uint32_t lp_order_cost(enum lp_order_target, enum lp_order_use, enum lp_order);

#endif
