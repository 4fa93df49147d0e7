/* A plain read of a byte of a word to which another thread stores atomically is a race; a plain read of
 * another byte than those that it stores to is none.
 * expect sc,tso,ra,rc11: violation race at RACE
 * expect sc,tso,ra,rc11 -- -DOTHER: verified
 */
#include "../parallel.h"

#include <stdint.h>

static union {
	uint64_t both;
	uint32_t half[2];
	uint8_t byte[8];
} w;

static void writer(void)
{
	__atomic_store_n(&w.half[1], 7, __ATOMIC_RELEASE); /* RACE */
}

static void reader(void)
{
#ifdef OTHER
	assert(w.byte[3] == 0);
#else
	assert(w.byte[4] != 1); /* RACE */
#endif
}

int main(void)
{
	parallel(writer, reader);
	assert(__atomic_load_n(&w.both, __ATOMIC_RELAXED) == UINT64_C(7) << 32);
	return 0;
}
