/* observe.h -- everything that clients can observe of an object.
 *
 * For each client, and each way in which its calls can end: the calls with their results, and which of all strict
 * partial orders on them a client could have added.  No client can distinguish two objects with the same endings by what
 * calls return.  The specification is not used, nor is the synchronisation that calls provide to other memory.
 */
#ifndef LP_VERIFY_TASK_OBSERVE_H
#define LP_VERIFY_TASK_OBSERVE_H

#include "base/fingerprints.h"
#include "base/hash_index.h"
#include "base/vec.h"
#include "verify/task/check_object.h"

/* There are 4,231 strict orders on five calls; for larger clients, and with --client, only results are compared. */
enum { LP_OBSERVED_ORDERS_ON = 5, LP_OBSERVED_ORDERS = 4231, LP_ENDING_WORDS = (LP_OBSERVED_ORDERS + 63) / 64 };

struct lp_observed_order {
	uint32_t before[LP_OBSERVED_ORDERS_ON]; /* closed: bit b of before[a] */
};

struct lp_ending {
	char *text; /* calls and results: "1:push(1)=void 2:pop()=1", by thread */
	uint64_t possible[LP_ENDING_WORDS];
};

struct lp_sightings {
	struct lp_check *check;
	uint32_t calls; /* that `orders` are on */
	struct {
		LP_VEC(struct lp_observed_order);
	} orders;
	struct {
		LP_VEC(struct lp_ending);
	} endings;
	struct lp_hash_index by_text; /* of endings */
	struct lp_fingerprints seen; /* of executions whose relations are exact */
	uint64_t executions;
};

/* From now on explorations of the check are observed completely, and not judged.  Calls of the same method are not
 * treated as alike. */
void lp_sightings_open(struct lp_sightings *, struct lp_check *);
void lp_sightings_close(struct lp_sightings *);

/* Forgets all endings. */
void lp_sightings_clear(struct lp_sightings *);

/* The ending with that text, or NULL. */
const struct lp_ending *lp_sightings_find(const struct lp_sightings *, const char *text);

#endif
