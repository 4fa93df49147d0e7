/* judged.h -- a cache of observations that were found correct.
 *
 * The name of an observation is a fingerprint of everything that its answer depends on, such as calls and
 * results, except for the orders that clients can add.  Let two observations have the same name, and let the
 * first be correct.  If every order that clients can add to the second can also be added to the first, the
 * second is correct, too.  So for each name the cache keeps a few correct observations, each as the set of
 * pairs that no client can order.  An observation is correct if its set contains one of those sets.
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
		uint32_t *fixed;            /* `rows` rows of `count` sets each */
		uint32_t count, rows, next; /* `next`: the row that is replaced next */
	} *at;
};

void lp_judged_close(struct lp_judged *);

/* Is the observation known to be correct, given that no client can order b before a if fixed[a] has bit b? */
bool lp_judged_right(const struct lp_judged *, struct lp_fingerprint name, uint32_t count,
		     const uint32_t *fixed);
void lp_judged_add(struct lp_judged *, struct lp_fingerprint name, uint32_t count,
		   const uint32_t *fixed);

#endif
