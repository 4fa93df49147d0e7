/* hash.h -- mixing bits, and fingerprints of byte strings. */
#ifndef LP_BASE_HASH_H
#define LP_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* A bijection of 64-bit words that spreads every bit (after MurmurHash3). */
static inline uint64_t lp_mix(uint64_t x)
{
	x ^= x >> 33;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 33;
	x *= UINT64_C(0xc4ceb9fe1a85ec53);
	return x ^ x >> 33;
}

/* A 128-bit fingerprint, fed piece by piece.  Begin with LP_FINGERPRINT. */
struct lp_fingerprint {
	uint64_t a, b;
};

#define LP_FINGERPRINT { UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xd1b54a32d192ed03) }

static inline void lp_fingerprint_word(struct lp_fingerprint *f, uint64_t word)
{
	/* Two independent 64x64->128 multiplications, each folded to 64 bits.  `b` and the word are mixed in once more afterwards:
	 * otherwise a product of 0 would lose them. */
	unsigned __int128 p = (unsigned __int128)(f->a ^ word) * UINT64_C(0xa0761d6478bd642f);
	unsigned __int128 q = (unsigned __int128)(f->b + word) * UINT64_C(0xe7037ed1a0b428db);
	f->a = (uint64_t)p ^ (uint64_t)(p >> 64) ^ f->b;
	f->b = (uint64_t)q ^ (uint64_t)(q >> 64) ^ word;
	f->a = lp_mix(f->a);
}

/* Completes a fingerprint by feeding one more word.  Otherwise the last word of the contents would hardly be mixed into `b`. */
static inline struct lp_fingerprint lp_fingerprint_end(struct lp_fingerprint f)
{
	lp_fingerprint_word(&f, 0);
	return f;
}

/* Adds the value that an array has at index `place`.  The order in which values are added makes no difference.  Some values may be
 * left out: for example, a caller may leave out every value that equals its initial value.  All values must be added before the
 * first word is fed.  The function counts places from 1, because lp_mix(0) is 0: otherwise, a 0 at place 0 would add nothing. */
static inline void lp_fingerprint_place(struct lp_fingerprint *f, uint64_t place, uint64_t value)
{
	const uint64_t mixed = lp_mix(value + (place + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15));

	f->a += mixed;
	f->b += lp_mix(mixed ^ (value * UINT64_C(0xd1b54a32d192ed03) + place));
}

/* Strings of different lengths may have the same fingerprint: if lengths can differ, feed the length, too. */
void lp_fingerprint_bytes(struct lp_fingerprint *f, const void *bytes, size_t size);

#endif
