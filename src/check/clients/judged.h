/* judged.h -- which observations are right because others are.
 *
 * Of observations with the same name (the same calls and results, and what else counts) one is
 * right if another one is for which clients have at least as many ways to order the calls.  A
 * few of those last judged are kept for each name, by the pairs that no client can have: what
 * is right with few of them is right with more.
 *
 * A table of fixed size: a new name may take the place of an old one.
 */
#ifndef LP_CHECK_CLIENTS_JUDGED_H
#define LP_CHECK_CLIENTS_JUDGED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct lp_judged {
	struct lp_judged_name {
		struct lp_fingerprint name; /* 0: none */
		uint32_t *fixed;            /* rows of `count` sets */
		uint32_t count, rows, next; /* where the next one goes */
	} *at;
};

void lp_judged_close(struct lp_judged *);

/* Is it right, whatever else, if no client can have b before a where fixed[a] has bit b? */
bool lp_judged_right(const struct lp_judged *, struct lp_fingerprint name, uint32_t count,
		     const uint32_t *fixed);
void lp_judged_add(struct lp_judged *, struct lp_fingerprint name, uint32_t count,
		   const uint32_t *fixed);

#endif
