/* linearization_cache.h -- linearizations that were found before.
 *
 * For each name, a fingerprint of all that they depend on, one of them, and what is against it
 * (essential_pairs.h).  A table of fixed size: a
 * new one may take the place of an old one.
 */
#ifndef LP_CHECK_CLIENTS_LINEARIZATION_CACHE_H
#define LP_CHECK_CLIENTS_LINEARIZATION_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

enum { LP_KNOWN_CALLS = 16 }; /* at most */

struct lp_known {
	struct lp_known_order {
		struct lp_fingerprint name;
		uint64_t order; /* four bits a call; the name is 0 where there is none */
		uint16_t against[LP_KNOWN_CALLS];
	} *at;
};

void lp_known_close(struct lp_known *);
bool lp_known_find(const struct lp_known *, struct lp_fingerprint name, uint32_t count,
		   uint32_t *order, uint32_t *against);
void lp_known_add(struct lp_known *, struct lp_fingerprint name, uint32_t count,
		  const uint32_t *order, const uint32_t *against);

#endif
