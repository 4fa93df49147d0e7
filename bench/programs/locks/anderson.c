/* anderson.c -- Anderson's array lock (1990): every ticket has a flag of its own. */
#include "lock.h"

static atomic_int next, go[N + 1] = { 1 };
static int mine; /* the ticket of the thread in the critical section */

static void lock(int me)
{
	int ticket = fetch_add(&next, 1, relaxed);

	(void)me;
	while (!load(&go[ticket], acquire))
		;
	mine = ticket;
}

static void unlock(int me)
{
	(void)me;
	store(&go[mine + 1], 1, release);
}
