/* poll.c -- the ring of spsc.c, whose two sides give up instead of waiting: N tries each. */
#include "../bench.h"

#ifndef N
#define N 4
#endif
#define CELLS 2

static atomic_int head, tail;
static int cell[CELLS];

static void *producer(void *unused)
{
	int put = 0;

	(void)unused;
	for (int i = 0; i < N; i++)
		if (put - load(&head, acquire) < CELLS) {
			cell[put % CELLS] = put;
			store(&tail, ++put, release);
		}
	return NULL;
}

static void *consumer(void *unused)
{
	int taken = 0;

	(void)unused;
	for (int i = 0; i < N; i++)
		if (load(&tail, acquire) > taken) {
			assert(cell[taken % CELLS] == taken);
			store(&head, ++taken, release);
		}
	return NULL;
}

int main(void)
{
	run_both(1, producer, 1, consumer);
	return 0;
}
