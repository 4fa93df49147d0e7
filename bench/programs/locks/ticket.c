/* ticket.c -- a ticket lock. */
#include "lock.h"

static atomic_int next, serving;

static void lock(int me)
{
	int ticket = fetch_add(&next, 1, relaxed);

	(void)me;
	while (load(&serving, acquire) != ticket)
		;
}

static void unlock(int me)
{
	(void)me;
	store(&serving, load(&serving, relaxed) + 1, release);
}
