/* filter.c -- Peterson's lock for N threads, seq_cst. */
#define NUMBERED
#include "lock.h"

static atomic_int level[N], victim[N];

static bool is_alone(int me, int at)
{
	for (int other = 0; other < N; other++)
		if (other != me && load(&level[other], seq_cst) >= at)
			return false;
	return true;
}

static void lock(int me)
{
	for (int at = 1; at < N; at++) {
		store(&level[me], at, seq_cst);
		store(&victim[at], me, seq_cst);
		while (load(&victim[at], seq_cst) == me && !is_alone(me, at))
			;
	}
}

static void unlock(int me)
{
	store(&level[me], 0, seq_cst);
}
