/* A condition with its predicate: checked in a loop, changed under the lock.
 * expect sc,tso,rc11: verified
 * expect rc11 --spurious: verified
 */
#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void setter(void)
{
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void waiter(void)
{
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&changed, &lock);
	assert(ready);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	parallel(setter, waiter);
	return 0;
}
