/* mpsc.c -- a linked queue with one consumer: N producers exchange the tail, then link.
 *
 * Between the two the queue is cut; the consumer waits, until it has had N values.  Nodes
 * are numbered from 1 on, 0 is the dummy, and stands for no node in a link. */
#include "../bench.h"

#ifndef N
#define N 3
#endif

static int value[N + 1];
static atomic_int next_of[N + 1], tail;

static void *producer(void *arg)
{
	int self = number(arg), before;

	value[self] = 1;
	before = exchange(&tail, self, acq_rel);
	store(&next_of[before], self, release);
	return NULL;
}

static void *consumer(void *unused)
{
	int at = 0;

	(void)unused;
	for (int i = 0; i < N; i++) {
		int next;

		while ((next = load(&next_of[at], acquire)) == 0)
			;
		assert(value[next] == 1);
		at = next;
	}
	return NULL;
}

int main(void)
{
	run_mixed(N, producer, 1, 1, consumer);
	return 0;
}
