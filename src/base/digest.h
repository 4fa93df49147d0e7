/* digest.h -- digests of 256 bits; in practice, different contents never have the same digest.
 *
 * BLAKE2b, as in RFC 7693, without a key.  To be used where equal digests of different contents would make an answer wrong.  There
 * is no known way to construct two byte strings with the same digest.  (For lp_fingerprint, in hash.h, there is one.)
 */
#ifndef LP_BASE_DIGEST_H
#define LP_BASE_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lp_digest {
	uint64_t word[4];
};

/* A digest under construction: begin, add, end. */
struct lp_digester {
	uint64_t state[8], count;
	uint8_t block[128];
	size_t used;
};

void lp_digest_begin(struct lp_digester *);
void lp_digest_add(struct lp_digester *, const void *bytes, size_t size);
struct lp_digest lp_digest_end(struct lp_digester *);

/* Adds the text with its terminating zero, so that "ab", "c" and "a", "bc" differ. */
void lp_digest_add_text(struct lp_digester *, const char *text);

struct lp_digest lp_digest_of(const void *bytes, size_t size);
bool lp_digest_equal(const struct lp_digest *, const struct lp_digest *);

#endif
