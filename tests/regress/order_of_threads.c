/* The number of executions does not depend on which threads come first.  Words that the runtime
 * keeps for a thread once had a place, or none, because of other executions: then a
 * repetition was not seen to be one.
 * options: --no-symmetry
 * expect rc11: verified, executions 24
 * expect rc11 -- -DREMOVERS_FIRST: verified, executions 24
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int back, slot[4];

static void *insert(void *value)
{
	int i = atomic_fetch_add_explicit(&back, 1, memory_order_release);

	atomic_store_explicit(&slot[i], *(int *)value, memory_order_release);
	return NULL;
}

static int scan(void)
{
	int end = atomic_load_explicit(&back, memory_order_acquire);

	for (int i = 0; i < end; i++) {
		if (atomic_load_explicit(&slot[i], memory_order_acquire) == 0)
			continue;
		if (atomic_exchange_explicit(&slot[i], 0, memory_order_acq_rel) != 0)
			return 1;
	}
	return 0;
}

static void *take(void *unused)
{
	while (!scan())
		;
	return unused;
}

int main(void)
{
	static int value[] = { 1, 2 };
	pthread_t t[4];

#ifdef REMOVERS_FIRST
	pthread_create(&t[2], NULL, take, NULL);
	pthread_create(&t[3], NULL, take, NULL);
#endif
	pthread_create(&t[0], NULL, insert, &value[0]);
	pthread_create(&t[1], NULL, insert, &value[1]);
#ifndef REMOVERS_FIRST
	pthread_create(&t[2], NULL, take, NULL);
	pthread_create(&t[3], NULL, take, NULL);
#endif
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
