/* undo.c -- readers and writers subtract first, and take it back if that was too much. */
#include "rwlock.h"

#define ALL 1000

static atomic_int left = ALL;

static void read_lock(void)
{
	while (fetch_sub(&left, 1, acquire) <= 0) {
		fetch_add(&left, 1, relaxed);
		while (load(&left, relaxed) <= 0)
			;
	}
}

static void read_unlock(void)
{
	fetch_add(&left, 1, release);
}

static void write_lock(void)
{
	while (fetch_sub(&left, ALL, acquire) != ALL) {
		fetch_add(&left, ALL, relaxed);
		while (load(&left, relaxed) != ALL)
			;
	}
}

static void write_unlock(void)
{
	fetch_add(&left, ALL, release);
}
