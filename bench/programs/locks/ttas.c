/* ttas.c -- test-and-test-and-set: wait until it looks free, then exchange. */
#include "lock.h"

static atomic_int taken;

static void lock(int me)
{
	(void)me;
	do {
		while (load(&taken, relaxed))
			;
	} while (exchange(&taken, 1, acquire));
}

static void unlock(int me)
{
	(void)me;
	store(&taken, 0, release);
}
