/* Two that poll in turns, and somebody sees the lock, so that attempts are kept: one of them has done
 * very much.  Had the others two turns each while it waits for the lock it would never get it.
 *
 * expect sc,rc11: inconclusive
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
	if (pthread_mutex_trylock(&lock) == 0)
		pthread_mutex_unlock(&lock);
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
