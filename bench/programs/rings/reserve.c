/* reserve.c -- N producers reserve cells by compare-and-swap, and publish in that order; one
 * consumer takes what is there, and goes. */
#include "../bench.h"

#ifndef N
#define N 3
#endif

static atomic_int reserved, published;
static int cell[N];

static void *producer(void *unused)
{
	int at = load(&reserved, relaxed);

	(void)unused;
	while (!cas(&reserved, &at, at + 1, relaxed))
		;
	cell[at] = at + 1;
	while (load(&published, acquire) != at)
		;
	store(&published, at + 1, release);
	return NULL;
}

static void *consumer(void *unused)
{
	(void)unused;
	for (int i = 0; i < N && load(&published, acquire) > i; i++)
		assert(cell[i] == i + 1);
	return NULL;
}

int main(void)
{
	run_both(N, producer, 1, consumer);
	assert(load(&published, relaxed) == N);
	return 0;
}
