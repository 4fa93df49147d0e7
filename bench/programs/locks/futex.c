/* futex.c -- three states, as for a futex: free, taken, taken with waiters.
 *
 * Waiting in the kernel is waiting for the word to change. */
#include "lock.h"

static atomic_int word;

static void lock(int me)
{
	int seen = 0;

	(void)me;
	if (cas(&word, &seen, 1, acquire))
		return;
	while (exchange(&word, 2, acquire) != 0)
		while (load(&word, relaxed) == 2)
			;
}

static void unlock(int me)
{
	(void)me;
	exchange(&word, 0, release);
}
