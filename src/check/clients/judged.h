/* judged.h -- a cache of observations that were found correct.
 *
 * The answer for an observation depends on the orders that clients can add, and on other data, such as calls and
 * results.  The name of the observation is a fingerprint of these other data.  Let two observations have the same name, and let the
 * first be correct.  If every order that clients can add to the second can also be added to the first, the
 * second is correct, too.  So for each name the cache keeps a few correct observations, each as the set of
 * pairs that no client can order.  A new observation is correct if its set of such pairs contains one of the
 * sets that the cache has for its name.
 *
 * The table has a fixed size, so a new name may replace an old one.
 */
#ifndef LP_CHECK_CLIENTS_JUDGED_H
#define LP_CHECK_CLIENTS_JUDGED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct lp_judged {
	struct lp_judged_name {
		struct lp_fingerprint name; /* 0 if the entry is empty */
		uint32_t *fixed;            /* `rows` rows of `count` sets.  A row is one observation, with a set for each of its calls */
		uint32_t count, rows, next; /* `next`: the row that is replaced next */
	} *at;
};

void lp_judged_close(struct lp_judged *);

/* Is an observation of `count` calls known to be correct?  Bit b of fixed[a] says that no client can order call b before
 * call a. */
bool lp_judged_right(const struct lp_judged *, struct lp_fingerprint name, uint32_t count,
		     const uint32_t *fixed);
/* Adds an observation that is correct; the arguments are those of lp_judged_right(). */
void lp_judged_add(struct lp_judged *, struct lp_fingerprint name, uint32_t count,
		   const uint32_t *fixed);

#endif
