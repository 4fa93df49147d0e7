/* A counter that counts in many ways: some wait for others, some only get in their way.
 *
 *     -DWAY=1   fetch_add: no thread waits
 *     -DWAY=2   compare and swap, and try again
 *     -DWAY=3   announces itself first, which makes all others try again
 *     -DWAY=4   behind a lock without an order of arrival
 *     -DWAY=5   behind a lock that is taken in turn
 *     -DWAY=6   behind a mutex
 *     -DWAY=7   waits for what never happens, if it was at 2
 *     -DWAY=8   a weak compare and swap, which may fail for no reason
 *     -DWAY=9   behind a lock that is not given back, if it was at 2
 */
#include <linchpin.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef WAY
#define WAY 1
#endif
_Static_assert(WAY >= 1 && WAY <= 9, "there is no such WAY");

static _Atomic uint8_t word; /* counts in steps of 64, modulo 4; below that, announcements */
static _Atomic uint8_t taken, next, turn, never;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

LP_SPEC("counter:k=4")

static void lock(void)
{
#if WAY == 5
	const uint8_t mine = atomic_fetch_add(&next, 64);

	while (turn != mine)
		;
#elif WAY == 6
	pthread_mutex_lock(&mutex);
#else
	while (atomic_exchange(&taken, 1))
		;
#endif
}

static void unlock(void)
{
#if WAY == 5
	turn += 64;
#elif WAY == 6
	pthread_mutex_unlock(&mutex);
#else
	taken = 0;
#endif
}

LP_METHOD(increment)
{
	uint8_t n;

#if WAY == 1
	atomic_fetch_add(&word, 64);
#elif WAY == 2
	do
		n = word;
	while (!atomic_compare_exchange_strong(&word, &n, (uint8_t)(n + 64)));
#elif WAY == 3
	for (;;) {
		uint8_t old = word;
		n = (uint8_t)((old & 0xc0) | ((old + 1) & 3));
		if (atomic_compare_exchange_strong(&word, &old, n) &&
		    atomic_compare_exchange_strong(&word, &n, (uint8_t)(n + 64)))
			break;
	}
#elif WAY == 8
	n = word;
	while (!atomic_compare_exchange_weak(&word, &n, (uint8_t)(n + 64)))
		;
#else
	lock();
	n = word;
	word = (uint8_t)(n + 64);
	if (WAY == 7 && n == 128)
		while (!never)
			;
	if (WAY != 9 || n != 128)
		unlock();
#endif
	return LP_VOID;
}

LP_METHOD(read)
{
#if WAY >= 4 && WAY != 8
	lock();
	const uint8_t n = word;
	unlock();
	return n / 64;
#else
	return word / 64;
#endif
}
