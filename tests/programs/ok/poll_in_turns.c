/* Two threads wait for each other by polling under one lock.  The second polls after it has released the first.
 * Its failed attempts do not mean that the first one waits forever.
 * expect sc,tso,ra,rc11: verified, executions 1
 */
#include "../parallel.h"

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
#ifdef TRYLOCK
	if (pthread_mutex_trylock(&lock) == 0)
		pthread_mutex_unlock(&lock);
#endif
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
