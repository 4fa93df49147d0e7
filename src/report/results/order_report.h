/* order_report.h -- the memory orders that an object needs, as plain data, and the writers for it.
 *
 * `linchpin orders` fills in the structures.  Their strings belong to the caller.
 */
#ifndef LP_REPORT_RESULTS_ORDER_REPORT_H
#define LP_REPORT_RESULTS_ORDER_REPORT_H

#include <stdio.h>

#include "report/result.h"

struct lp_terminal;

/* Why a weaker order is not enough. */
struct lp_orders_why {
	const char *order;   /* the next weaker order: "relaxed" */
	const char *how;     /* the violation, "race at queue.c:44 with queue.c:30"; NULL: it could not
			      * be decided whether the order is enough */
	const char *reason;  /* if `how` is NULL: why it could not be decided */
	const char *client;  /* "enqueue(1) | dequeue()" */
	const char *command; /* a command that shows the violation */
};

enum lp_orders_state {
	LP_ORDERS_REACHED,
	LP_ORDERS_ALONE,       /* reached only before the threads start or after they have ended,
			        * when there is no other thread */
	LP_ORDERS_NOT_REACHED, /* never reached, so the order stays as it is */
};

struct lp_orders_row {
	const char *name;      /* "queue.c:44#2/failure" */
	const char *operation, *variable, *function;
	const char *now, *needed;
	bool weaker;           /* `needed` is weaker than `now` */
	enum lp_orders_state state;
	const struct lp_orders_why *why;
	uint32_t why_count;
};

/* A minimal assignment, given by its differences from the source. */
struct lp_orders_assignment {
	const char *changes;   /* "queue.c:44=relaxed,queue.c:50=none"; "" if there is none */
	uint64_t cost;
};

/* A change that is not in the patch. */
struct lp_orders_unpatched {
	const char *name, *trouble; /* the changed order, and why the patch does not contain the change */
};

struct lp_orders_result {
	enum lp_result_verdict verdict;
	const char *subject;
	const char *claim;     /* what holds with these orders: "... is a linearizable queue for ..." */
	const char *reason;    /* inconclusive: why */
	const char *model, *target;
	const struct lp_orders_row *rows; /* one for each order in the source; `needed` is that of the
					   * cheapest assignment */
	uint32_t row_count;
	const struct lp_orders_assignment *minimal; /* cheapest first */
	uint32_t minimal_count;
	bool all;              /* these are all minimal assignments */
	uint64_t cost_now;
	const char *patch;     /* the file that the patch was written to, or NULL */
	const struct lp_orders_unpatched *unpatched;
	uint32_t unpatched_count;
	uint32_t tried;        /* the number of assignments that were tried */
	uint64_t executions;
	double seconds;
};

void lp_terminal_orders(const struct lp_terminal *, const struct lp_orders_result *);
void lp_json_orders(FILE *, const struct lp_orders_result *);

#endif
