/* A thread that goes no further has written what others see: that its read cannot be
 * changed any more does not make the execution a useless one.
 *
 * expect sc,tso,ra,rc11: violation assertion at SEEN
 * expect rc11 -j 2: violation assertion at SEEN
 * expect rc11 -- -DLOCKED: violation assertion at SEEN
 */
#include "../programs/parallel.h"

void __VERIFIER_assume(int);

static atomic_int x, y, held;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void before(void)
{
	store(&x, 1, relaxed);
}

static void stays(void)
{
	pthread_mutex_lock(&m);
	store(&held, 1, release);
	if (load(&x, relaxed) == 0) {
		store(&y, 1, relaxed);
		pthread_mutex_unlock(&m);
		__VERIFIER_assume(0);
	}
}

static void sees(void)
{
#ifdef LOCKED
	if (load(&held, acquire))
		assert(pthread_mutex_trylock(&m)); /* SEEN */
#else
	assert(load(&y, relaxed) == 0); /* SEEN */
#endif
}

int main(void)
{
	parallel(before, stays, sees);
	return 0;
}
