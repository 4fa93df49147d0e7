/* hash.c -- fingerprints of byte strings. */
#include "base/hash.h"

#include <string.h>

void lp_fingerprint_bytes(struct lp_fingerprint *f, const void *bytes, size_t size)
{
	const char *p = bytes;
	uint64_t word;

	for (; size >= 8; p += 8, size -= 8) {
		memcpy(&word, p, 8);
		lp_fingerprint_word(f, word);
	}
	if (size) {
		word = 0;
		memcpy(&word, p, size);
		lp_fingerprint_word(f, word ^ (uint64_t)size << 56);
	}
}
