/* A race before an assumption that is false is a race.  Where the assumption depends on a read of
 * what has been overwritten the graph was given up at once, before the other thread came to
 * its access.
 *
 * expect sc,tso,ra,rc11: violation race at RACE
 * expect sc,rc11 -- -DWRITE: violation race at RACE
 * expect rc11 --no-spin: violation race at RACE
 */
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static atomic_int x, y;
static int data;

static void *write_x(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return arg;
}

static void *assume(void *arg)
{
	int seen = 0;

	if (atomic_load_explicit(&x, memory_order_relaxed) == 1) {
#ifdef WRITE
		data = 1; /* RACE */
#else
		seen = data; /* RACE */
#endif
		__VERIFIER_assume(seen == 3);
	}
	return arg;
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
	pthread_create(&t[1], NULL, assume, NULL);
	pthread_create(&t[2], NULL, write_data, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return data == 3;
}
