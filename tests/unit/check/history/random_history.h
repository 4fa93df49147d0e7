/* random_history.h -- small random histories, correct ones and slightly wrong ones.
 *
 * Operations get random intervals; a random order that respects them gives results
 * that the specification accepts; in half of the histories something is then changed.
 */
#ifndef LP_TESTS_RANDOM_HISTORY_H
#define LP_TESTS_RANDOM_HISTORY_H

#include <stdint.h>

#include "history/history.h"
#include "spec/spec.h"

struct random_source {
	uint64_t state;
};

static inline uint32_t below(struct random_source *r, uint32_t n)
{
	r->state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = r->state;
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((x ^ x >> 31) >> 32) % n;
}

struct shape_of_history {
	uint32_t calls, threads;
	uint32_t pending_in_16;  /* of 16 calls, how many do not return */
	uint32_t distinct_in_16; /* how many histories insert no value twice */
	uint32_t another_in_16;  /* how many are spoilt with pending removals in mind */
	uint32_t few_methods;    /* about so many of the methods; 0: all; 1: the basic ones */
};

void random_history(struct lp_history *h, const struct lp_spec *spec,
		    const struct shape_of_history *shape, struct random_source *r);

#endif
