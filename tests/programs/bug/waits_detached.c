/* The threads that take are alike.  If one of them takes, the thread that waits does so for good, after main() has returned.  It
 * must not be taken for one that only another write could wake: what the other taker reads then is seen in no other execution.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include "../parallel.h"

static atomic_int x, y, taken, waiting, stale, first;

static void *writes(void *arg)
{
	store(&x, 5, relaxed);
	store(&y, 7, relaxed);
	store(&y, 9, relaxed);
	return arg;
}

static void *waits(void *arg)
{
	store(&waiting, 1, relaxed);
	for (int none = 0; !cas(&taken, &none, 1, relaxed); none = 0)
		;
	return arg;
}

static void *takes(void *arg)
{
	int a, none = 0;

	do {
		a = load(&x, relaxed);
		if (load(&y, relaxed) == 7) {
			if (!a)
				store(&stale, 1, relaxed);
			return arg;
		}
	} while (a != 5);
	if (cas(&taken, &none, 2, relaxed))
		store(&first, 1, relaxed);
	return arg;
}

int main(void)
{
	pthread_t writer, waiter, taker[2];

	pthread_create(&writer, NULL, writes, NULL);
	pthread_create(&waiter, NULL, waits, NULL);
	pthread_detach(waiter);
	for (int i = 0; i < 2; i++)
		pthread_create(&taker[i], NULL, takes, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(taker[i], NULL);
	assert(!load(&stale, relaxed) || !load(&first, relaxed)); /* BUG */
	return 0;
}
