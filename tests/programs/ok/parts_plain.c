/* Members of a word that is atomic elsewhere are initialised, and read in the end, by plain accesses.
 * expect sc,tso,ra,rc11: verified
 * expect sc,tso --races ignore: verified
 */
#include "../parallel.h"

#include <stdint.h>
#include <stdlib.h>

union word {
	uint64_t both;
	struct {
		uint32_t low, high;
	};
	uint8_t byte[8];
};

static union word *w;

static void first(void)
{
	__atomic_fetch_add(&w->both, UINT64_C(1) << 32, __ATOMIC_RELAXED);
}

static void second(void)
{
	__atomic_fetch_add(&w->low, 1, __ATOMIC_RELAXED);
}

int main(void)
{
	w = malloc(sizeof *w);
	w->low = 5;
	w->high = 6;
	parallel(first, second);
	assert(w->both == (UINT64_C(7) << 32 | 6));
	assert(w->byte[0] == 6 && w->byte[4] == 7);
	w->byte[1] = 1;
	assert(__atomic_load_n(&w->low, __ATOMIC_RELAXED) == 0x106);
	union word copy = *w;
	assert(copy.both == (UINT64_C(7) << 32 | 0x106));
	free(w);
	return 0;
}
