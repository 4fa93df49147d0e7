/* The iteration that reads 1, and with it `data`, is redundant; the write of `data` waits, by
 * relaxed accesses only, until the loop is left.  The race was lost with the iteration.
 *
 * expect rc11: violation race at RACE
 * expect rc11 --no-helping: violation race at RACE
 * expect rc11 -j 2: violation race at RACE
 * expect sc,tso,ra: verified
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, done;
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
	atomic_store_explicit(&done, 1, memory_order_relaxed);
	return r ? arg : NULL;
}

static void *write_data(void *arg)
{
	while (!atomic_load_explicit(&done, memory_order_relaxed))
		;
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
