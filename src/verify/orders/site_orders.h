/* site_orders.h -- the memory orders in the source of an object, with their places in the source.
 *
 * A choice is one memory order in the source: that of an atomic access or fence, or the failure order of a
 * compare-exchange.  An access in an inlined function or a template has a site in each copy, but these sites share one choice.
 * If the order is a parameter of a function, the caller of the function chooses it.  If the function was inlined into the caller,
 * the choice belongs to the line of the caller; otherwise the access has one choice for each order that may be passed.  Choices are
 * named by their lines:
 *
 *     queue.c:44            the access in that line
 *     queue.c:44#2          the second of several accesses, by column
 *     queue.c:44/failure    the failure order of a compare-exchange
 *
 * Orders that the source cannot choose are not choices: those of accesses in system headers that were not inlined into the object,
 * of assembly instructions, and of the operations that the runtime performs for a mutex.  The orders in LP_SETUP, LP_TEARDOWN,
 * LP_INVARIANT and LP_PROPOSITION are not choices, either.
 */
#ifndef LP_VERIFY_ORDERS_SITE_ORDERS_H
#define LP_VERIFY_ORDERS_SITE_ORDERS_H

#include "base/error.h"
#include "base/vec.h"
#include "orders/lattice.h"

struct lp_arena;
struct lp_native;
struct lp_source;
struct lp_task;

struct lp_site_choice {
	uint32_t *sites, site_count;  /* indices into the module's sites; all these sites have the same kind of operation */
	enum lp_order_use use;
	enum lp_order now;            /* the order in the source */
	const char *name;             /* "queue.c:44#2" */
	const char *operation;        /* "load", "compare-exchange" */
	const char *variable;         /* "q->head", or "" */
	const char *function;
	const char *file;             /* the path of the file */
	uint32_t line, column;
	const struct lp_source *origin; /* the place of the access, if its order is a parameter */
};

/* Sorted by file, line and column.  The two choices of a compare-exchange are adjacent. */
struct lp_site_choices {
	LP_VEC(struct lp_site_choice);
};

/* Texts are in the arena; the caller frees `at`. */
void lp_site_choices(struct lp_native *, struct lp_arena *, struct lp_site_choices *);

/* Says how the sites of the choice were reached, as bits of enum lp_reached (runtime/hooks/sites.h).  A compare-exchange that
 * failed counts only for the choice of its failure order. */
unsigned lp_site_choice_reached(struct lp_native *, const struct lp_site_choice *);

/* Sets the orders of all choices.  A fence whose order becomes relaxed has no effect; if `visible`, it is still an operation,
 * otherwise it is not. */
void lp_site_choices_set(struct lp_native *, const struct lp_site_choices *, const uint8_t *orders, bool visible);

/* Applies the argument of --order: "queue.c:44=relaxed,45/failure=acquire".  A line without a file is in the task's
 * file. */
bool lp_sites_override(struct lp_task *, const char *text, struct lp_error *);

#endif
