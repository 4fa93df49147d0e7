/* Each thread stores to a half of a word and reads the word.  Hardware may show each of them its own
 * store only, as store buffers do; that is not explored, and said so.
 * expect sc: verified
 * expect tso,ra,rc11: inconclusive, says "reads its own store"
 */
#include "../parallel.h"

#include <stdint.h>

static union {
	_Atomic uint64_t both;
	_Atomic uint32_t half[2];
} w;
static uint64_t a, b;

static void left(void)
{
	store(&w.half[0], 1, relaxed);
	a = load(&w.both, relaxed);
}

static void right(void)
{
	store(&w.half[1], 1, relaxed);
	b = load(&w.both, relaxed);
}

int main(void)
{
	parallel(left, right);
	assert(a >> 32 || (uint32_t)b);
	return 0;
}
