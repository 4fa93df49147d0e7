/* seqlock.c -- a sequence lock: one writer with two updates, N readers that try again. */
#include "../bench.h"

#ifndef N
#define N 2
#endif

static atomic_int sequence, first, second;

static void *writer(void *unused)
{
	(void)unused;
	for (int i = 1; i <= 2; i++) {
		store(&sequence, 2 * i - 1, relaxed);
		fence(release);
		store(&first, i, relaxed);
		store(&second, i, relaxed);
		store(&sequence, 2 * i, release);
	}
	return NULL;
}

static void *reader(void *unused)
{
	int before, a, b;

	(void)unused;
	do {
		do
			before = load(&sequence, acquire);
		while (before % 2);
		a = load(&first, relaxed);
		b = load(&second, relaxed);
		fence(acquire);
	} while (load(&sequence, relaxed) != before);
	assert(a == b);
	return NULL;
}

int main(void)
{
	run_both(1, writer, N, reader);
	return 0;
}
