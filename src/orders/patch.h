/* patch.h -- memory orders changed in a source text, as a unified diff.
 *
 * The compiler gives the line and column of an operation.  At that position, the source must have a call of an operation with a
 * known name.  It may also have another call there, if the arguments of that call contain exactly one call of an operation: the
 * arguments of a macro have the position of the macro.
 *
 *     atomic_load(&x)                   atomic_load_explicit(&x, memory_order_acquire)
 *     x.store(1)                        x.store(1, std::memory_order_release)
 *     __atomic_load_n(&x, FIRST)        __atomic_load_n(&x, __ATOMIC_ACQUIRE)
 *     atomic_thread_fence(order);       (the line is removed, or replaced by "(void)0")
 *     swing(&x, a, b, memory_order_x)   any other function: the one argument that is an order
 *
 * Anything else is not changed: for example, operators (x++), macros, __sync_*, and orders that are variables.  `trouble` of the
 * edit then says why.
 */
#ifndef LP_ORDERS_PATCH_H
#define LP_ORDERS_PATCH_H

#include <stddef.h>
#include <stdio.h>

#include "orders/call.h"
#include "orders/lattice.h"

/* The new orders of an operation. */
struct lp_order_edit {
	uint32_t line, column;      /* from 1 */
	enum lp_order_use use;      /* not LP_USE_FAILURE */
	const char *operation;      /* "load", "compare-exchange", "fetch_add": a part of the function's name, in which hyphens stand for
	                             * underscores */
	enum lp_order order;
	enum lp_order failure;      /* the failure order of a compare-exchange; else LP_PLAIN */
	const char *trouble;        /* filled in: why the edit could not be made; NULL if it was made */
};

/* Writes the diff, in which the files are named `before` and `after`.  Writes nothing if there is no difference.  Sorts the edits
 * by position.  Returns the number of edits that were made. */
uint32_t lp_orders_patch(const struct lp_text *, struct lp_order_edit *, uint32_t count, const char *before, const char *after,
			 FILE *out);

/* An edit as a replacement within a line.  Columns count bytes, from 1; `end` is the column after the last byte that is replaced. */
struct lp_order_replacement {
	uint32_t line, column, end;
	char with[160];
};

/* Stores the replacements, sorted by position, and returns their number; 0 if an edit could not be made, or if there are more than
 * `room`. */
uint32_t lp_orders_replacements(const struct lp_text *, struct lp_order_edit *, uint32_t count, struct lp_order_replacement *,
				uint32_t room);

#endif
