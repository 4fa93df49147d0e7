/* Loops that end, after more operations than are explored: a counter of the thread's own, and one in
 * shared memory.  They did not end within some turns more, and were called endless.
 *
 * expect sc,rc11: inconclusive, says "perhaps without end: too long to explore"
 * expect sc -- -DSHARED: inconclusive, says "perhaps without end: too long to explore"
 * expect sc --preemptions 1: inconclusive, says "perhaps without end: too long to explore"
 */
#include "../programs/parallel.h"

static atomic_uint count;

static void count_up(void)
{
#ifdef SHARED
	while (fetch_add(&count, 1, seq_cst) < 40000)
		;
#else
	for (int i = 0; i < 40000; i++)
		fetch_add(&count, 1, seq_cst);
#endif
}

int main(void)
{
	parallel(count_up);
	return 0;
}
