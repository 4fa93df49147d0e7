/* casrot.c -- threads 1 .. N; thread i changes x from i-1 to i, once, if it can.
 *
 * A failed CAS is a read: N = 2 .. 9 give 2, 5, 14, 43, 144, 523, 2048, 8597. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 9
#endif

static atomic_int x;
static int number[N + 1];

static void *rotate(void *arg)
{
	int i = *(int *)arg;
	int expected = i - 1;

	atomic_compare_exchange_strong_explicit(&x, &expected, i, memory_order_relaxed,
						memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t thread[N + 1];

	for (int i = 1; i <= N; i++) {
		number[i] = i;
		pthread_create(&thread[i], NULL, rotate, &number[i]);
	}
	for (int i = 1; i <= N; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
