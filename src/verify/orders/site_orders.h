/* site_orders.h -- the memory orders of an object's source, by where they are.
 *
 * A choice is one order of the source: that of an atomic access or fence, or the second one of a
 * compare-exchange, for when it fails.  A function that is inlined, and a template, has a site for each copy;
 * these have one order.  An order that is a parameter is chosen where the function is called: if it was
 * inlined there, that line has the choice; else there is one for each order that may be passed.
 * Choices are named by their lines:
 *
 *     queue.c:44            the access in that line
 *     queue.c:44#2          the second one of several, by column
 *     queue.c:44/failure    of a compare-exchange that fails
 *
 * What is not the source's to choose is no choice: accesses of the system's headers that were not
 * inlined into the object, instructions written as assembly, what the runtime does for a mutex; nor
 * is what the harness does before and after the calls (LP_SETUP, LP_TEARDOWN, LP_INVARIANT).
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
	uint32_t *sites, site_count;  /* of the module; all are the same operation */
	enum lp_order_use use;
	enum lp_order now;            /* what the source says */
	const char *name;             /* "queue.c:44#2" */
	const char *operation;        /* "load", "compare-exchange" */
	const char *variable;         /* "q->head", or "" */
	const char *function;
	const char *file;             /* its path */
	uint32_t line, column;
	const struct lp_source *origin; /* the access itself, where its order is a parameter */
};

/* By file, line and column.  The two choices of a compare-exchange stand side by side. */
struct lp_site_choices {
	LP_VEC(struct lp_site_choice);
};

/* Texts are in the arena; `at` is the caller's to free. */
void lp_site_choices(struct lp_native *, struct lp_arena *, struct lp_site_choices *);

/* How any of its sites was reached: bits of enum lp_reached (runtime/hooks/sites.h), those for failure apart. */
unsigned lp_site_choice_reached(struct lp_native *, const struct lp_site_choice *);

/* The orders of all choices from now on.  `visible`: a fence that is none stays an operation. */
void lp_site_choices_set(struct lp_native *, const struct lp_site_choices *, const uint8_t *orders, bool visible);

/* "queue.c:44=relaxed,45/failure=acquire": --order.  A line without a file is one of the task's. */
bool lp_sites_override(struct lp_task *, const char *text, struct lp_error *);

#endif
