/* count.c -- one word: the number of readers, or -1 for a writer. */
#include "rwlock.h"

static atomic_int word;

static void read_lock(void)
{
	int seen = load(&word, relaxed);

	while (seen < 0 || !cas(&word, &seen, seen + 1, acquire))
		seen = load(&word, relaxed);
}

static void read_unlock(void)
{
	fetch_sub(&word, 1, release);
}

static void write_lock(void)
{
	int seen = 0;

	while (!cas(&word, &seen, -1, acquire))
		seen = 0;
}

static void write_unlock(void)
{
	store(&word, 0, release);
}
