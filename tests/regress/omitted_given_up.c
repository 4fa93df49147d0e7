/* The iteration that reads 1, and with it `data`, is redundant.  Where that is known both
 * values of x are there: the thread is stuck for good, and the graph was given up before
 * the other thread came to its write.
 *
 * expect sc,tso,ra,rc11: violation race at RACE
 * expect rc11 -j 2: violation race at RACE
 * expect sc --preemptions 2: violation race at RACE
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int data;

static void *write_x(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return arg;
}

static void *look(void *arg)
{
	int r = 0;

	for (;;) {
		const int s = atomic_load_explicit(&x, memory_order_relaxed);
		if (s == 1)
			r |= data; /* RACE */
		else if (s == 2)
			break;
	}
	return r ? arg : NULL;
}

static void *write_data(void *arg)
{
	atomic_load_explicit(&y, memory_order_relaxed);
	data = 5; /* RACE */
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, write_x, NULL);
	pthread_create(&t[1], NULL, look, NULL);
	pthread_create(&t[2], NULL, write_data, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
