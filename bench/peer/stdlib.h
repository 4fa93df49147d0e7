/* stdlib.h -- for the peer, which has no calloc(). */
#ifndef PEER_STDLIB_H
#define PEER_STDLIB_H

#include_next <stdlib.h>

/* Objects allocate structures of words. */
static inline void *peer_calloc(size_t count, size_t size)
{
	long *words = malloc(count * size);

	for (size_t i = 0; i < count * size / sizeof *words; i++)
		words[i] = 0;
	return words;
}
#define calloc peer_calloc

#endif
