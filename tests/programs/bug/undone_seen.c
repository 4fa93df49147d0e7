/* A lock that takes back what it has subtracted too much, in a loop that may go round any number of times.  A thread that tries
 * once sees the value in between, and fails although the lock is free.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 * expect sc,rc11 -j 3: violation assertion at BUG
 */
#include "../parallel.h"

static atomic_int left = 1, done, inside;

static void waits(void)
{
	while (fetch_add(&left, -1, seq_cst) <= 0)
		fetch_add(&left, 1, seq_cst);
	store(&inside, 1, seq_cst);
	fetch_add(&left, 1, seq_cst);
}

static void tries(void)
{
	const int over = load(&done, seq_cst);

	if (fetch_add(&left, -1, seq_cst) > 0) {
		fetch_add(&left, 1, seq_cst);
		return;
	}
	fetch_add(&left, 1, seq_cst);
	const int idle = fetch_add(&left, 0, seq_cst) == 1 && !load(&inside, seq_cst);
	assert(!over || !idle); /* BUG */
}

static void holds(void)
{
	if (fetch_add(&left, -1, seq_cst) <= 0) {
		fetch_add(&left, 1, seq_cst);
		return;
	}
	fetch_add(&left, 1, seq_cst);
	store(&done, 1, seq_cst);
}

int main(void)
{
	parallel(waits, tries, holds);
	return 0;
}
