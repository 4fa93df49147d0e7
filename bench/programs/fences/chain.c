/* chain.c -- messages down a chain of N threads, by release and acquire fences. */
#include "../bench.h"

#ifndef N
#define N 3
#endif

static atomic_int flag[N + 1];
static int data[N + 1];

static void *worker(void *arg)
{
	int me = number(arg);

	if (load(&flag[me - 1], relaxed)) {
		fence(acquire);
		assert(me == 1 || data[me - 1] == me - 1);
	}
	data[me] = me;
	fence(release);
	store(&flag[me], 1, relaxed);
	return NULL;
}

int main(void)
{
	atomic_init(&flag[0], 1);
	run_numbered(N, worker, 1);
	return 0;
}
