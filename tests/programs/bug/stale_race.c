/* Only an attempt that rests on a stale read, and can only fail, reads the data, and only if a later read of it gets
 * another answer: to abandon it must not lose the race.
 * expect sc,tso,ra,rc11: violation race at BUG
 */
#include "../parallel.h"

static atomic_int turn, flag;
static int data;

static void attempts(void)
{
	for (;;) {
		int seen = load(&turn, relaxed);
		const int also = load(&flag, relaxed);

		if (seen == 0 && also == 1)
			assert(data >= 0); /* BUG */
		if (atomic_compare_exchange_strong(&turn, &seen, seen + 2))
			return;
	}
}

static void changes(void)
{
	int expected = 0;

	atomic_compare_exchange_strong(&turn, &expected, 1);
}

static void writes(void)
{
	if (load(&turn, relaxed) & 1) {
		store(&flag, 1, relaxed);
		data = 5; /* BUG */
	}
}

int main(void)
{
	parallel(changes, attempts, writes);
	return 0;
}
