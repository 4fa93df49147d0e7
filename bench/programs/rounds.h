/* rounds.h -- 3 threads, N rounds each: store to an own location, load the next thread's.
 *
 * ORDER is the order of both, FENCE() stands between them. */
#include "bench.h"

#ifndef N
#define N 2
#endif

static atomic_int value[3];

static void *worker(void *arg)
{
	int me = number(arg), last = 0;

	for (int i = 1; i <= N; i++) {
		int seen;

		store(&value[me], i, ORDER);
		FENCE();
		seen = load(&value[(me + 1) % 3], ORDER);
		assert(seen >= last);
		last = seen;
	}
	return NULL;
}

int main(void)
{
	run_numbered(3, worker, 0);
	return 0;
}
