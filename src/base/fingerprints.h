/* fingerprints.h -- a set of 128-bit fingerprints.
 *
 * Open addressing, at most half full.  A zeroed set is empty; closing one frees it.
 */
#ifndef LP_BASE_FINGERPRINTS_H
#define LP_BASE_FINGERPRINTS_H

#include <stdbool.h>

#include "base/hash.h"

struct lp_fingerprints {
	struct lp_fingerprint *at; /* zeroes are free */
	uint64_t count, room;      /* room is 0 or a power of two */
};

bool lp_fingerprints_have(const struct lp_fingerprints *, struct lp_fingerprint);
/* False if it was there already. */
bool lp_fingerprints_add(struct lp_fingerprints *, struct lp_fingerprint);
/* Keeps the memory. */
void lp_fingerprints_clear(struct lp_fingerprints *);
void lp_fingerprints_close(struct lp_fingerprints *);
/* Bytes that it has, or will have with the next one. */
size_t lp_fingerprints_size(const struct lp_fingerprints *);

#endif
