/* bug_twolock.c -- the two-lock queue with locks that are tested and then set: two threads
 * can both find one free. */
#include <stdatomic.h>

#define LOCK atomic_int
#define lock_init(lock) atomic_init(lock, 0)

static void lock_take(atomic_int *lock)
{
	while (atomic_load(lock))
		;
	atomic_store(lock, 1);
}

static void lock_give(atomic_int *lock)
{
	atomic_store(lock, 0);
}

#include "twolock.c"
