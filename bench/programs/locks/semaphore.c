/* semaphore.c -- a binary semaphore by compare-and-swap. */
#include "lock.h"

static atomic_int permits = 1;

static void lock(int me)
{
	int seen = load(&permits, relaxed);

	(void)me;
	while (seen == 0 || !cas(&permits, &seen, seen - 1, acquire))
		seen = load(&permits, relaxed);
}

static void unlock(int me)
{
	(void)me;
	fetch_add(&permits, 1, release);
}
