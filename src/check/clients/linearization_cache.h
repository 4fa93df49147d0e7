/* linearization_cache.h -- linearizations that were found before.
 *
 * A name is a fingerprint of everything that a linearization depends on.  For each name the table has one
 * linearization and the pairs that contradict it (essential_pairs.h).  Its size is fixed: a new entry may
 * replace an old one.
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
		uint64_t order; /* four bits per call; the name of an empty entry is 0 */
		uint16_t against[LP_KNOWN_CALLS];
	} *at;
};

void lp_known_close(struct lp_known *);
bool lp_known_find(const struct lp_known *, struct lp_fingerprint name, uint32_t count,
		   uint32_t *order, uint32_t *against);
void lp_known_add(struct lp_known *, struct lp_fingerprint name, uint32_t count,
		  const uint32_t *order, const uint32_t *against);

#endif
