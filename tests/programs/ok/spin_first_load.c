/* A semaphore whose first load stands before the loop has as many executions as one with a single load.
 * The other programs wait with two loads that are not the same: a thread that has made the first is not where it was.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 36
 * expect sc,tso,ra,rc11 -- -DSINGLE: verified, executions 36
 * expect sc,tso,ra,rc11 -- -DPLACE: verified
 * expect sc,tso,ra,rc11 -- -DCOMPUTES: verified
 * expect sc,tso,ra,rc11 -- -DCOMPARES: verified
 */
#include <stdbool.h>

#include "../parallel.h"

#ifdef PLACE /* the second load is of another location */
static atomic_int never, set;

static void waits(void)
{
	int seen = load(&never, relaxed);

	while (!seen)
		seen = load(&set, relaxed);
}

static void sets(void)
{
	store(&set, 1, relaxed);
}

#elif defined COMPUTES || defined COMPARES /* something else is computed of it */
static atomic_int level = 1;

static void waits(void)
{
	bool seen = load(&level, relaxed) == 2;

	while (!seen)
#ifdef COMPARES
		seen = load(&level, relaxed) != 2;
#else
		seen = load(&level, relaxed) == 1;
#endif
}

static void sets(void)
{
	fetch_add(&level, 0, relaxed);
}

#else
static atomic_int permits = 1;
static int count;

static void add(void)
{
#ifdef SINGLE
	int seen;

	do
		seen = load(&permits, relaxed);
	while (seen == 0 || !cas(&permits, &seen, seen - 1, acquire));
#else
	int seen = load(&permits, relaxed);

	while (seen == 0 || !cas(&permits, &seen, seen - 1, acquire))
		seen = load(&permits, relaxed);
#endif
	count++;
	fetch_add(&permits, 1, release);
}
#endif

int main(void)
{
#if defined PLACE || defined COMPUTES || defined COMPARES
	parallel(waits, sets);
#else
	parallel(add, add, add);
	assert(count == 3);
#endif
	return 0;
}
