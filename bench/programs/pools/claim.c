/* claim.c -- N workers look for a task that is free, each from its own place on; N tasks. */
#include "../bench.h"

#ifndef N
#define N 3
#endif

static atomic_int claimed[N];
static int result[N];

static void *worker(void *arg)
{
	int me = number(arg);

	for (int i = 0; i < N; i++) {
		int task = (me + i) % N, unclaimed = 0;

		if (load(&claimed[task], relaxed) == 0 && cas(&claimed[task], &unclaimed, 1, relaxed))
			result[task] = 1;
	}
	return NULL;
}

int main(void)
{
	run_numbered(N, worker, 0);
	for (int i = 0; i < N; i++)
		assert(result[i] == 1);
	return 0;
}
