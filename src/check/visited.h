/* visited.h -- a set of 128-bit fingerprints: where a search has been. */
#ifndef LP_CHECK_VISITED_H
#define LP_CHECK_VISITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct lp_visited {
	struct lp_fingerprint *at; /* open addressing; zeroes are free slots */
	uint64_t count, mask;
};

void lp_visited_open(struct lp_visited *s);
void lp_visited_close(struct lp_visited *s);

/* Is it new?  It is remembered. */
bool lp_visited_add(struct lp_visited *s, struct lp_fingerprint f);

/* Grows if it is time to.  False if it would then be larger than `memory` bytes
 * (0: any size). */
bool lp_visited_make_room(struct lp_visited *s, size_t memory);

#endif
