/* pending.c -- a writer closes the door first, then waits until the readers have left. */
#include "rwlock.h"

static atomic_int closed, inside;

static void read_lock(void)
{
	for (;;) {
		while (load(&closed, acquire))
			;
		fetch_add(&inside, 1, seq_cst);
		if (!load(&closed, seq_cst))
			return;
		fetch_sub(&inside, 1, release);
	}
}

static void read_unlock(void)
{
	fetch_sub(&inside, 1, release);
}

static void write_lock(void)
{
	while (exchange(&closed, 1, seq_cst))
		;
	while (load(&inside, seq_cst) != 0)
		;
}

static void write_unlock(void)
{
	store(&closed, 0, release);
}
