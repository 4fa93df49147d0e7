/* Threads that poll under one lock, each till the other has done its part.  Continued fairly, one
 * that found the lock taken waited for it for ever, and the other was said to be in an endless loop.
 *
 * expect sc,rc11 --no-attempts: inconclusive, says "more than 20000 operations"
 * expect sc --preemptions 1: inconclusive, says "more than 20000 operations"
 * expect rc11: verified
 */
#include "../programs/parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second; /* under the lock */

static void wait_for(const int *flag)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		const int seen = *flag;
		pthread_mutex_unlock(&lock);
		if (seen)
			return;
	}
}

static void set(int *flag)
{
	pthread_mutex_lock(&lock);
	*flag = 1;
	pthread_mutex_unlock(&lock);
}

static void wait_and_set(void)
{
	wait_for(&first);
	set(&second);
}

static void set_and_wait(void)
{
	set(&first);
	wait_for(&second);
}

int main(void)
{
	parallel(wait_and_set, set_and_wait);
	return 0;
}
