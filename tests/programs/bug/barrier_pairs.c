/* Four threads at a barrier for two, and one that returns which thread was the last: here the order of arrivals matters.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DLAST: violation assertion at BUG
 */
#define _GNU_SOURCE
#include "../parallel.h"

static pthread_barrier_t barrier;
static atomic_int x;

#ifdef LAST
static void first(void)
{
	const int answer = pthread_barrier_wait(&barrier);

	assert(answer != PTHREAD_BARRIER_SERIAL_THREAD); /* BUG */
}
#else
static void first(void)
{
	store(&x, 1, relaxed);
	pthread_barrier_wait(&barrier);
}

static void second(void)
{
	pthread_barrier_wait(&barrier);
	assert(load(&x, relaxed)); /* BUG */
}
#endif

static void other(void)
{
	pthread_barrier_wait(&barrier);
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
#ifdef LAST
	parallel(first, other);
#else
	parallel(first, second, other, other);
#endif
	return 0;
}
