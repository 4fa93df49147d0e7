/* bakery.c -- Lamport's bakery (1974), seq_cst. */
#define NUMBERED
#include "lock.h"

static atomic_int choosing[N], ticket[N];

static void lock(int me)
{
	int mine = 0;

	store(&choosing[me], 1, seq_cst);
	for (int i = 0; i < N; i++) {
		int seen = load(&ticket[i], seq_cst);

		mine = seen > mine ? seen : mine;
	}
	mine++;
	store(&ticket[me], mine, seq_cst);
	store(&choosing[me], 0, seq_cst);
	for (int i = 0; i < N; i++) {
		int theirs;

		while (load(&choosing[i], seq_cst))
			;
		do
			theirs = load(&ticket[i], seq_cst);
		while (theirs != 0 && (theirs < mine || (theirs == mine && i < me)));
	}
}

static void unlock(int me)
{
	store(&ticket[me], 0, seq_cst);
}
