/* fingerprints.h -- a set of 128-bit fingerprints.
 *
 * Open addressing, at most half full.  A zeroed set is empty; closing one frees it.
 */
#ifndef LP_BASE_FINGERPRINTS_H
#define LP_BASE_FINGERPRINTS_H

#include <stdbool.h>

#include "base/hash.h"

struct lp_fingerprints {
	struct lp_fingerprint *at; /* a free place is all zeroes */
	uint64_t count, room;      /* room is 0 or a power of two */
};

bool lp_fingerprints_have(const struct lp_fingerprints *, struct lp_fingerprint);
/* Returns false if the set has the fingerprint already. */
bool lp_fingerprints_add(struct lp_fingerprints *, struct lp_fingerprint);
/* Empties the set, and keeps its memory for reuse. */
void lp_fingerprints_clear(struct lp_fingerprints *);
void lp_fingerprints_close(struct lp_fingerprints *);
/* Returns how many bytes of memory the set will take after one more fingerprint has been added; 0 if the set has no memory yet. */
size_t lp_fingerprints_size(const struct lp_fingerprints *);

#endif
