/* site_orders.h -- the memory orders in the source of an object, with their places in the source.
 *
 * A choice is one memory order in the source: that of an atomic access or fence, or the failure order of a
 * compare-exchange.  An access in an inlined function or a template has a site in each copy, but these sites share one choice.
 * If the order is a parameter of a function, the caller chooses it.  If the function was inlined into the caller, the choice
 * belongs to the line of the caller; otherwise there is one choice for each order that may be passed.
 * Choices are named by their lines:
 *
 *     queue.c:44            the access in that line
 *     queue.c:44#2          the second of several accesses, by column
 *     queue.c:44/failure    the failure order of a compare-exchange
 *
 * Orders that the source cannot choose are not choices: accesses in system headers that were not inlined into
 * the object, assembly instructions, and the operations that the runtime performs for a mutex.  Nor are the orders in the parts
 * of the harness other than its methods (LP_SETUP, LP_TEARDOWN, LP_INVARIANT, LP_PROPOSITION).
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
	uint32_t *sites, site_count;  /* indices into the module's sites; all are the same operation */
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

/* Says how the sites of the choice were reached, as bits of enum lp_reached (runtime/hooks/sites.h).  Failures of a
 * compare-exchange count only for the choice of the failure order. */
unsigned lp_site_choice_reached(struct lp_native *, const struct lp_site_choice *);

/* Sets the orders of all choices.  `visible`: a fence whose order is relaxed, so that it has no effect, is still an operation. */
void lp_site_choices_set(struct lp_native *, const struct lp_site_choices *, const uint8_t *orders, bool visible);

/* Applies the argument of --order: "queue.c:44=relaxed,45/failure=acquire".  A line without a file is in the task's
 * file. */
bool lp_sites_override(struct lp_task *, const char *text, struct lp_error *);

#endif
