/* fib.c -- two threads add to each other's variable, a third one looks on.
 *
 * N rounds each; N = 5 gives 525,630 executions, many of them only by a backward
 * revisit of a load deep in the other thread. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 5
#endif

static atomic_int x = 1, y = 1;

static int get(atomic_int *from)
{
	return atomic_load_explicit(from, memory_order_acquire);
}

static void *grow_x(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++) {
		int left = get(&x);
		int right = get(&y);

		atomic_store_explicit(&x, left + right, memory_order_release);
	}
	return NULL;
}

static void *grow_y(void *unused)
{
	(void)unused;
	for (int i = 0; i < N; i++) {
		int left = get(&x);
		int right = get(&y);

		atomic_store_explicit(&y, left + right, memory_order_release);
	}
	return NULL;
}

static void *watch(void *unused)
{
	(void)unused;
	if (get(&x) <= 144)
		(void)get(&y);
	return NULL;
}

int main(void)
{
	pthread_t thread[3];

	pthread_create(&thread[0], NULL, grow_x, NULL);
	pthread_create(&thread[1], NULL, grow_y, NULL);
	pthread_create(&thread[2], NULL, watch, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
