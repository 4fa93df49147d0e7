/* clh.c -- the queue lock of Craig, Landin and Hagersten (1993): wait for the one before. */
#define NUMBERED
#include "lock.h"

static atomic_int busy[N + 1]; /* the last one stands for no thread */
static atomic_int tail = N;

static void lock(int me)
{
	int before;

	store(&busy[me], 1, relaxed);
	before = exchange(&tail, me, acq_rel);
	while (load(&busy[before], acquire))
		;
}

static void unlock(int me)
{
	store(&busy[me], 0, release);
}
