/* judged.h -- a cache of observations that were found correct.
 *
 * The name of an observation is a fingerprint of its calls, results, and everything else that counts
 * except for the orders that clients can add.  An observation is correct if another one with the same name
 * is correct for which clients can add at least the same orders.  For each name the cache keeps a few of the
 * observations judged last, as the sets of pairs that no client can order.  If the observation is correct
 * with such a set, it is correct with any superset.
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
