/* A wait that times out takes the clock to its deadline, whatever is waited for.
 *
 * options: --nondet 0..1
 * expect sc,rc11: verified
 * expect sc,rc11 -- -DLOCK: verified
 */
#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "../parallel.h"

static sem_t sem;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int wait_until(const struct timespec *until)
{
#ifdef LOCK
	const int error = pthread_mutex_timedlock(&mutex, until);
	if (!error)
		pthread_mutex_unlock(&mutex);
	return error;
#else
	return sem_timedwait(&sem, until) ? errno : 0;
#endif
}

static void waiter(void)
{
	struct timespec until, now;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 2;
	if (!wait_until(&until))
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	assert(now.tv_sec >= until.tv_sec);
}

static void other(void)
{
#ifdef LOCK
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
#else
	sem_post(&sem);
#endif
}

int main(void)
{
	parallel(waiter, other);
	return 0;
}
