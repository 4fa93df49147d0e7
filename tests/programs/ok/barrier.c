/* Everything before a barrier is before everything after it; one of the threads is
 * told that it was the serial one.
 * expect sc,rc11: verified
 */
#include "../parallel.h"

static pthread_barrier_t barrier;
static int a, b;
static atomic_int serial;

static void left(void)
{
	a = 1;
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		fetch_add(&serial, 1, relaxed);
	assert(b == 1);
}

static void right(void)
{
	b = 1;
	if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		fetch_add(&serial, 1, relaxed);
	assert(a == 1);
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	parallel(left, right);
	assert(load(&serial, relaxed) == 1);
	pthread_barrier_destroy(&barrier);
	return 0;
}
