/* observe.h -- everything that clients can observe of an object.
 *
 * An ending of a client consists of its calls with their results, and of a set of strict partial orders on these calls: those that
 * the client could have imposed in addition.  This module collects all endings of all clients.  If two objects have the same
 * endings, no client can distinguish them by what calls return.  The endings depend neither on the specification nor on the
 * synchronisation that calls provide for other memory.
 */
#ifndef LP_VERIFY_TASK_OBSERVE_H
#define LP_VERIFY_TASK_OBSERVE_H

#include "base/fingerprints.h"
#include "base/hash_index.h"
#include "base/vec.h"
#include "verify/task/check_object.h"

/* Orders are compared for clients of up to five calls, on which there are 4,231 strict orders.  For larger clients, and
 * with --client, only results are compared. */
enum { LP_OBSERVED_ORDERS_ON = 5, LP_OBSERVED_ORDERS = 4231, LP_ENDING_WORDS = (LP_OBSERVED_ORDERS + 63) / 64 };

struct lp_observed_order {
	uint32_t before[LP_OBSERVED_ORDERS_ON]; /* bit b of before[a]: call b is before call a; transitively closed */
};

struct lp_ending {
	char *text; /* calls and results, by thread: "1:push(1)=void 2:pop()=1" */
	uint64_t possible[LP_ENDING_WORDS]; /* bit i: the client could have imposed order number i of lp_sightings.orders */
};

struct lp_sightings {
	struct lp_check *check;
	uint32_t calls; /* the number of calls that `orders` order */
	struct {
		LP_VEC(struct lp_observed_order);
	} orders;
	struct {
		LP_VEC(struct lp_ending);
	} endings;
	struct lp_hash_index by_text; /* finds an ending by its text */
	struct lp_fingerprints seen; /* the executions so far whose relations are exact (model/calls.h).  A later execution with the
				      * same ending and relations as one of them need not be examined */
	uint64_t executions;
};

/* From now on, explorations of the check collect all endings, and judge no execution.  Calls of the same method are not treated
 * as alike. */
void lp_sightings_open(struct lp_sightings *, struct lp_check *);
void lp_sightings_close(struct lp_sightings *);

/* Forgets all endings. */
void lp_sightings_clear(struct lp_sightings *);

/* The ending with that text, or NULL. */
const struct lp_ending *lp_sightings_find(const struct lp_sightings *, const char *text);

#endif
