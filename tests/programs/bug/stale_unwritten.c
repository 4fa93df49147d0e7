/* Memory that was never written is read only in an attempt that rests on a stale read, once a later read of it gets another
 * answer.
 * expect sc,tso,ra,rc11: violation uninitialised at BUG
 */
#include "../parallel.h"

#include <stdlib.h>

static atomic_int turn, flag, *memory;

static void changes(void)
{
	atomic_fetch_add(&turn, 1);
}

static void attempts(void)
{
	for (;;) {
		int seen = load(&turn, relaxed);

		if (load(&flag, relaxed) == 1 && seen == 0)
			if (load(memory, relaxed) == 17) /* BUG */
				return;
		if (atomic_compare_exchange_strong(&turn, &seen, seen + 2))
			return;
	}
}

static void writes(void)
{
	if (load(&turn, relaxed) == 1)
		store(&flag, 1, relaxed);
}

int main(void)
{
	memory = malloc(sizeof *memory);
	parallel(changes, attempts, writes);
	return 0;
}
