/* central.c -- a counter and a sense: the last one to arrive turns it over; two rounds. */
#include "barrier.h"

static atomic_int arrived, sense;

static void round_of(int mine)
{
	if (fetch_add(&arrived, 1, acq_rel) == N - 1) {
		store(&arrived, 0, relaxed);
		store(&sense, mine, release);
		return;
	}
	while (load(&sense, acquire) != mine)
		;
}

static void meet(int me)
{
	(void)me;
	round_of(1);
	round_of(0);
}
