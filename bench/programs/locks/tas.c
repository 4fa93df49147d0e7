/* tas.c -- test-and-set: exchange until it was free. */
#include "lock.h"

static atomic_int taken;

static void lock(int me)
{
	(void)me;
	while (exchange(&taken, 1, acquire))
		;
}

static void unlock(int me)
{
	(void)me;
	store(&taken, 0, release);
}
