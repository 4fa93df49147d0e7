/* spsc.c -- one producer, one consumer, a ring of two cells, N values. */
#include "../bench.h"

#ifndef N
#define N 4
#endif
#define CELLS 2

static atomic_int head, tail;
static int cell[CELLS];

static void *producer(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++) {
		while (i - load(&head, acquire) >= CELLS)
			;
		cell[i % CELLS] = i;
		store(&tail, i + 1, release);
	}
	return NULL;
}

static void *consumer(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++) {
		while (load(&tail, acquire) <= i)
			;
		assert(cell[i % CELLS] == i);
		store(&head, i + 1, release);
	}
	return NULL;
}

int main(void)
{
	run_both(1, producer, 1, consumer);
	return 0;
}
