/* patch.h -- memory orders changed in a source text, as a unified diff.
 *
 * What is known of an order is where its operation is: line and column, as the compiler has them.  There
 * must be a call there, or one call among its arguments (what is an argument of a macro has the place of the
 * macro), of an operation that is known by its name:
 *
 *     atomic_load(&x)                   atomic_load_explicit(&x, memory_order_acquire)
 *     x.store(1)                        x.store(1, std::memory_order_release)
 *     __atomic_load_n(&x, FIRST)        __atomic_load_n(&x, __ATOMIC_ACQUIRE)
 *     atomic_thread_fence(order);       (the line is gone, or "(void)0" is left)
 *     swing(&x, a, b, memory_order_x)   any other function: the one argument that is an order
 *
 * Anything else is left alone, and the edit says why: operators (x++), macros, __sync_*, orders that are variables.
 */
#ifndef LP_ORDERS_PATCH_H
#define LP_ORDERS_PATCH_H

#include <stddef.h>
#include <stdio.h>

#include "orders/lattice.h"

/* The orders that an operation is to have. */
struct lp_order_edit {
	uint32_t line, column;      /* from 1 */
	enum lp_order_use use;      /* not LP_USE_FAILURE */
	const char *operation;      /* "load", "compare-exchange", "fetch_add": as in its name, but for hyphens */
	enum lp_order order;
	enum lp_order failure;      /* of a compare-exchange; else LP_PLAIN */
	const char *trouble;        /* filled in: why it could not be done; or NULL */
};

/* Writes the difference, of which `before` and `after` are the names; nothing if there is none.  Edits are
 * sorted by place.  Returns how many were done. */
uint32_t lp_orders_patch(const char *text, size_t size, struct lp_order_edit *, uint32_t count, const char *before,
			 const char *after, FILE *out);

/* The same as pieces of lines to replace.  Columns are bytes, from 1; the end is behind the last one. */
struct lp_order_replacement {
	uint32_t line, column, end;
	char with[160];
};

/* How many there are, sorted by place, `room` at most; 0 if an edit could not be done, or needs more. */
uint32_t lp_orders_replacements(const char *text, size_t size, struct lp_order_edit *, uint32_t count,
				struct lp_order_replacement *, uint32_t room);

#endif
