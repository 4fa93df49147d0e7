/* rng.h -- random numbers from a seed, the same on every machine.
 *
 * Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (SplitMix64),
 * OOPSLA 2014, with our own mixing function.
 */
#ifndef LP_EXPLORE_SAMPLE_RNG_H
#define LP_EXPLORE_SAMPLE_RNG_H

#include <stdint.h>

#include "base/hash.h"

struct lp_rng {
	uint64_t state;
};

static inline uint64_t lp_rng_word(struct lp_rng *r)
{
	return lp_mix(r->state += UINT64_C(0x9e3779b97f4a7c15));
}

/* A number in [0, n), n > 0.  The bias, below n / 2^64, is negligible. */
static inline uint32_t lp_rng_below(struct lp_rng *r, uint32_t n)
{
	return (uint32_t)((unsigned __int128)lp_rng_word(r) * n >> 64);
}

#endif
