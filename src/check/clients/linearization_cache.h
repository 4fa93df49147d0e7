/* linearization_cache.h -- a cache of linearizations that were found earlier.
 *
 * The key of an entry, its `name`, is a fingerprint of everything on which the search for a linearization depends.  An entry
 * contains one linearization, and the pairs of calls that contradict this linearization if the client orders them
 * (essential_pairs.h).  The cache has a fixed size: a new entry may replace an old one.
 */
#ifndef LP_CHECK_CLIENTS_LINEARIZATION_CACHE_H
#define LP_CHECK_CLIENTS_LINEARIZATION_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

enum { LP_KNOWN_CALLS = 16 }; /* the largest number of calls in a linearization */

struct lp_known {
	struct lp_known_order {
		struct lp_fingerprint name; /* 0 if the entry is empty */
		uint64_t order; /* the calls in the order of the linearization, four bits each */
		uint16_t against[LP_KNOWN_CALLS]; /* bit b of against[a]: a client that orders b before a contradicts `order` */
	} *at; /* NULL until the first entry is added */
};

void lp_known_close(struct lp_known *);

/* Looks up a linearization of `count` calls.  If there is one, stores it in `order` and its contradicting pairs in `against`,
 * and returns true. */
bool lp_known_find(const struct lp_known *, struct lp_fingerprint name, uint32_t count,
		   uint32_t *order, uint32_t *against);

/* Adds a linearization of `count` calls.  The new entry may replace another one. */
void lp_known_add(struct lp_known *, struct lp_fingerprint name, uint32_t count,
		  const uint32_t *order, const uint32_t *against);

#endif
