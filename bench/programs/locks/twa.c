/* twa.c -- a ticket lock with a waiting array (Dice and Kogan, Euro-Par 2019).
 *
 * A thread that is not next watches a slot of the array instead of the counter that is
 * being served; leaving the lock tells the slot of the next but one. */
#include "lock.h"

#define SLOTS 2

static atomic_int next, serving, slot[SLOTS];

/* Waits until at most one thread is before `ticket`. */
static void wait_in_slot(int ticket)
{
	while (ticket - load(&serving, acquire) > 1) {
		int seen = load(&slot[ticket % SLOTS], acquire);

		if (ticket - load(&serving, acquire) <= 1)
			return;
		while (load(&slot[ticket % SLOTS], acquire) == seen)
			;
	}
}

static void lock(int me)
{
	int ticket = fetch_add(&next, 1, relaxed);

	(void)me;
	wait_in_slot(ticket);
	while (load(&serving, acquire) != ticket)
		;
}

static void unlock(int me)
{
	int after = load(&serving, relaxed) + 1;

	(void)me;
	store(&serving, after, release);
	fetch_add(&slot[(after + 1) % SLOTS], 1, acq_rel);
}
