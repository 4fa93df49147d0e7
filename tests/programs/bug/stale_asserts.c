/* An assertion that fails only in an attempt that rests on a stale read, once a later read of it gets another answer.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include "../parallel.h"

static atomic_int turn, flag;

static void changes(void)
{
	atomic_fetch_add(&turn, 1);
}

static void attempts(void)
{
	for (;;) {
		int seen = load(&turn, relaxed);
		const int also = load(&flag, relaxed);

		assert(seen != 0 || also != 2); /* BUG */
		if (atomic_compare_exchange_strong(&turn, &seen, seen + 2))
			return;
	}
}

static void writes(void)
{
	if (load(&turn, relaxed) == 1)
		store(&flag, 2, relaxed);
}

int main(void)
{
	parallel(changes, attempts, writes);
	return 0;
}
