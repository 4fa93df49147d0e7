/* A thread stores to one half of a word and then to the other one.  Under ra and rc11 another thread may
 * see the second store only; that is not explored, and said so.
 * expect sc,tso: verified
 * expect ra,rc11: inconclusive, says "written in different orders"
 */
#include "../parallel.h"

#include <stdint.h>

static union {
	_Atomic uint64_t both;
	_Atomic uint32_t half[2];
} w;

static void writer(void)
{
	store(&w.half[0], 1, relaxed);
	store(&w.half[1], 1, relaxed);
}

static void reader(void)
{
	const uint64_t both = load(&w.both, relaxed);

	assert(!(both >> 32) || (uint32_t)both);
}

int main(void)
{
	parallel(writer, reader);
	return 0;
}
