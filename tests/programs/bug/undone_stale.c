/* A thread takes back what it has subtracted too much, and succeeds later.  Another thread learns of that without synchronising, so
 * that it can still read the value in between.  The iteration must not be left out, although no read-modify-write comes between its two, and
 * although the read comes after all that the thread does later.
 * expect sc,tso,ra: verified
 * expect rc11: violation assertion at BUG
 */
#include "../parallel.h"

static atomic_int left = 1, inside;

static void waits(void)
{
	while (fetch_add(&left, -1, relaxed) <= 0) {
		fetch_add(&left, 1, relaxed);
		while (load(&left, relaxed) <= 0)
			;
	}
	store(&inside, 1, relaxed);
	fetch_add(&left, 1, relaxed);
}

static void holds(void)
{
	int one = 1;

	if (atomic_compare_exchange_strong_explicit(&left, &one, 0, relaxed, relaxed))
		fetch_add(&left, 1, relaxed);
}

static void looks(void)
{
	if (load(&inside, relaxed))
		assert(load(&left, relaxed) != -1); /* BUG */
}

int main(void)
{
	parallel(waits, holds, looks);
	return 0;
}
