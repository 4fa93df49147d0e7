/* Loops that write have executions of any length: --unroll says how far they are explored.
 *
 * expect sc,rc11 --unroll 1: verified, executions 1, says "bounded"
 * expect sc,rc11 --unroll 3: verified, executions 3, says "at most 3 times round"
 * expect sc,rc11 --unroll 3 -j 2: verified, executions 3, says "bounded"
 * expect sc,rc11 --unroll 3 -- -DTWICE: inconclusive, says "no execution is complete"
 * expect sc,rc11 --unroll 4 -- -DTWICE: verified
 */
#include "../programs/parallel.h"

static atomic_int stop, count;

static void counts(void)
{
#ifdef TWICE
	for (int i = 0; i < 4; i++)
		atomic_fetch_add(&count, 1);
#else
	while (!atomic_load(&stop))
		atomic_fetch_add(&count, 1);
#endif
}

static void stops(void)
{
	atomic_store(&stop, 1);
}

int main(void)
{
	parallel(counts, stops);
	return 0;
}
