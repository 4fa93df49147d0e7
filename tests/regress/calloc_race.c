/* The zeroes of calloc() are written by the thread that calls it: who gets at the memory
 * without synchronisation races with that.
 * expect rc11: violation race
 * expect rc11 -- -DPLAIN: violation race
 * expect rc11 -- -DORDER=memory_order_acq_rel: verified
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

struct pair {
	atomic_int a;
	int b;
};

static _Atomic(struct pair *) shared;

static void *writer(void *arg)
{
	struct pair *none = NULL;

	atomic_compare_exchange_strong_explicit(&shared, &none, calloc(1, sizeof(struct pair)), ORDER,
						memory_order_relaxed);
	return arg;
}

static void *reader(void *arg)
{
	struct pair *p = atomic_exchange_explicit(&shared, NULL, ORDER);

	if (!p)
		return arg;
#ifdef PLAIN
	return p->b ? arg : NULL;
#else
	return atomic_load_explicit(&p->a, memory_order_relaxed) ? arg : NULL;
#endif
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
