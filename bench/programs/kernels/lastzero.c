/* lastzero.c -- thread j makes a[j] = a[j-1] + 1; another looks for the last zero.
 *
 * How far the search goes depends on what it reads, so the threads' events are
 * not the same in every execution: N = 10 gives 3,328, N = 15 gives 147,456. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 15
#endif

static atomic_int a[N + 1];
static int number[N + 1];

static void *search(void *unused)
{
	int i = N;

	(void)unused;
	while (atomic_load_explicit(&a[i], memory_order_acquire) != 0)
		i--;
	return NULL;
}

static void *follow(void *arg)
{
	int j = *(int *)arg;
	int before = atomic_load_explicit(&a[j - 1], memory_order_acquire);

	atomic_store_explicit(&a[j], before + 1, memory_order_release);
	return NULL;
}

int main(void)
{
	pthread_t thread[N + 1];

	pthread_create(&thread[0], NULL, search, NULL);
	for (int j = 1; j <= N; j++) {
		number[j] = j;
		pthread_create(&thread[j], NULL, follow, &number[j]);
	}
	for (int j = 0; j <= N; j++)
		pthread_join(thread[j], NULL);
	return 0;
}
