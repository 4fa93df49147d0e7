/* ainc.c -- N threads, one relaxed fetch_add of the same counter each.
 *
 * Every order of the additions is an execution: N! of them, none blocked. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 7
#endif

static atomic_int x;

static void *add(void *unused)
{
	(void)unused;
	atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t thread[N];

	for (int i = 0; i < N; i++)
		pthread_create(&thread[i], NULL, add, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
