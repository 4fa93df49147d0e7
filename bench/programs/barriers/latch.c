/* latch.c -- every thread counts down, and waits for zero. */
#define HAS_SETUP
#include "barrier.h"

static atomic_int missing;

static void setup(void)
{
	atomic_init(&missing, N);
}

static void meet(int me)
{
	(void)me;
	fetch_sub(&missing, 1, acq_rel);
	while (load(&missing, acquire) != 0)
		;
}
