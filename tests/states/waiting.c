/* Objects whose calls may wait: locks without an order of arrival, or with one, and a
 * semaphore.
 *
 *     -DTURNS      the lock is taken in turn
 *     -DMUTEX      the lock is the library's
 *     -DSEMAPHORE  a semaphore instead
 *     -DKEEP       what is given back is kept
 */
#include <linchpin.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

#ifdef SEMAPHORE

static _Atomic int units;

LP_SPEC("semaphore:init=0")

LP_METHOD(acquire)
{
	for (;;) {
		int n = units;
		if (n && atomic_compare_exchange_strong(&units, &n, n - 1))
			return LP_VOID;
	}
}

LP_METHOD(release)
{
#ifndef KEEP
	__VERIFIER_assume(atomic_fetch_add(&units, 1) < 2);
#endif
	return LP_VOID;
}

#else

static _Atomic uint8_t taken, next, turn;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

LP_SPEC("lock")
LP_AFTER("unlock", "lock")

LP_METHOD(lock)
{
#if defined TURNS
	const uint8_t mine = atomic_fetch_add(&next, 64);

	while (turn != mine)
		;
#elif defined MUTEX
	pthread_mutex_lock(&mutex);
#else
	while (atomic_exchange(&taken, 1))
		;
#endif
	return LP_VOID;
}

LP_METHOD(unlock)
{
#if defined KEEP
#elif defined TURNS
	turn += 64;
#elif defined MUTEX
	pthread_mutex_unlock(&mutex);
#else
	taken = 0;
#endif
	return LP_VOID;
}

#endif
