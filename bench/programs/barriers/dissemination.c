/* dissemination.c -- in round r a thread tells the one 2^r further on, and waits to be told. */
#include "barrier.h"

static atomic_int told[4][N];

static void meet(int me)
{
	for (int r = 0, step = 1; step < N; r++, step *= 2) {
		store(&told[r][(me + step) % N], 1, release);
		while (!load(&told[r][me], acquire))
			;
	}
}
