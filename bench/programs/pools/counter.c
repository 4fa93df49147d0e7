/* counter.c -- 2 workers take N tasks by a counter; the last one to finish sums up. */
#include "../bench.h"

#ifndef N
#define N 3
#endif
#define WORKERS 2

static atomic_int next, finished;
static int result[N];

static void *worker(void *unused)
{
	int sum = 0;

	(void)unused;
	for (int task; (task = fetch_add(&next, 1, relaxed)) < N;)
		result[task] = 1;
	if (fetch_add(&finished, 1, acq_rel) == WORKERS - 1) {
		for (int i = 0; i < N; i++)
			sum += result[i];
		assert(sum == N);
	}
	return NULL;
}

int main(void)
{
	run(WORKERS, worker);
	return 0;
}
