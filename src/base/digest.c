/* digest.c -- BLAKE2b (RFC 7693: Saarinen and Aumasson, 2015). */
#include "base/digest.h"

#include <string.h>

static const uint64_t initial[8] = {
	UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b), UINT64_C(0x3c6ef372fe94f82b),
	UINT64_C(0xa54ff53a5f1d36f1), UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
	UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179),
};

static const uint8_t sigma[12][16] = {
	{ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3 },
	{ 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4 },
	{ 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8 },
	{ 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13 },
	{ 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9 },
	{ 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11 },
	{ 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10 },
	{ 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5 },
	{ 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0 },
	{ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3 },
};

static inline uint64_t rotated(uint64_t x, unsigned by)
{
	return x >> by | x << (64 - by);
}

static inline void mix(uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *d, uint64_t x, uint64_t y)
{
	*a += *b + x;
	*d = rotated(*d ^ *a, 32);
	*c += *d;
	*b = rotated(*b ^ *c, 24);
	*a += *b + y;
	*d = rotated(*d ^ *a, 16);
	*c += *d;
	*b = rotated(*b ^ *c, 63);
}

/* On a big-endian machine the digests would differ from those of the RFC, but would be just as
 * good. */
static void compress(struct lp_digester *d, const uint8_t *block, bool last)
{
	uint64_t m[16], v[16];

	memcpy(m, block, sizeof m);
	memcpy(v, d->state, sizeof d->state);
	memcpy(v + 8, initial, sizeof initial);
	v[12] ^= d->count;
	if (last)
		v[14] = ~v[14];
	for (unsigned round = 0; round < 12; round++) {
		const uint8_t *s = sigma[round];
		mix(&v[0], &v[4], &v[8], &v[12], m[s[0]], m[s[1]]);
		mix(&v[1], &v[5], &v[9], &v[13], m[s[2]], m[s[3]]);
		mix(&v[2], &v[6], &v[10], &v[14], m[s[4]], m[s[5]]);
		mix(&v[3], &v[7], &v[11], &v[15], m[s[6]], m[s[7]]);
		mix(&v[0], &v[5], &v[10], &v[15], m[s[8]], m[s[9]]);
		mix(&v[1], &v[6], &v[11], &v[12], m[s[10]], m[s[11]]);
		mix(&v[2], &v[7], &v[8], &v[13], m[s[12]], m[s[13]]);
		mix(&v[3], &v[4], &v[9], &v[14], m[s[14]], m[s[15]]);
	}
	for (unsigned i = 0; i < 8; i++)
		d->state[i] ^= v[i] ^ v[i + 8];
}

void lp_digest_begin(struct lp_digester *d)
{
	memcpy(d->state, initial, sizeof initial);
	d->state[0] ^= 0x01010000 ^ sizeof(struct lp_digest);
	d->count = d->used = 0;
}

void lp_digest_add(struct lp_digester *d, const void *bytes, size_t size)
{
	const uint8_t *p = bytes;

	while (size) {
		if (d->used == sizeof d->block) { /* more bytes follow, so this is not the last
						   * block */
			d->count += sizeof d->block;
			compress(d, d->block, false);
			d->used = 0;
		}
		for (; !d->used && size > sizeof d->block; p += sizeof d->block, size -= sizeof d->block) {
			d->count += sizeof d->block;
			compress(d, p, false);
		}
		const size_t room = sizeof d->block - d->used, part = size < room ? size : room;
		memcpy(d->block + d->used, p, part);
		d->used += part;
		p += part;
		size -= part;
	}
}

struct lp_digest lp_digest_end(struct lp_digester *d)
{
	struct lp_digest out;

	memset(d->block + d->used, 0, sizeof d->block - d->used);
	d->count += d->used;
	compress(d, d->block, true);
	memcpy(&out, d->state, sizeof out);
	return out;
}

void lp_digest_add_text(struct lp_digester *d, const char *text)
{
	lp_digest_add(d, text, strlen(text) + 1);
}

struct lp_digest lp_digest_of(const void *bytes, size_t size)
{
	struct lp_digester d;

	lp_digest_begin(&d);
	lp_digest_add(&d, bytes, size);
	return lp_digest_end(&d);
}

bool lp_digest_equal(const struct lp_digest *a, const struct lp_digest *b)
{
	return !memcmp(a, b, sizeof *a);
}
