/* readers.c -- one release store of x and N acquire loads: 2^N executions. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 13
#endif

static atomic_int x;

static void *writer(void *unused)
{
	(void)unused;
	atomic_store_explicit(&x, 1, memory_order_release);
	return NULL;
}

static void *reader(void *unused)
{
	(void)unused;
	(void)atomic_load_explicit(&x, memory_order_acquire);
	return NULL;
}

int main(void)
{
	pthread_t thread[N + 1];

	pthread_create(&thread[0], NULL, writer, NULL);
	for (int i = 1; i <= N; i++)
		pthread_create(&thread[i], NULL, reader, NULL);
	for (int i = 0; i <= N; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
