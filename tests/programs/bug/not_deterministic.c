/* The program really does something else in each run: no answer, and no internal error.
 * processors: x86-64
 * expect sc,tso,ra,rc11: inconclusive, says "rdtsc"
 * expect sc --preemptions 2: inconclusive, says "rdtsc"
 * expect rc11 -j 2: inconclusive, says "rdtsc"
 * expect rc11 -- -DSTORES: inconclusive, says "rdtsc"
 */
#include "../parallel.h"

static atomic_uint x, y;

static unsigned time_stamp(void)
{
	unsigned low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return low * 2654435761u >> 20;
}

static void work(void)
{
	for (int i = 0; i < 3; i++) {
#ifdef STORES
		x = time_stamp();
#endif
		switch (time_stamp() % 4) {
		case 0: x = 1; break;
		case 1: fetch_add(&y, 1, relaxed); break;
		case 2: (void)load(&y, relaxed); break;
		case 3: return;
		}
	}
}

int main(void)
{
	parallel(work, work, work);
	return 0;
}
