/* A recursive mutex is free again after as many unlocks as locks.
 * expect sc,rc11: verified
 */
#include "../parallel.h"

static pthread_mutex_t lock;
static int count;

static void add(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &attr);
	pthread_mutexattr_destroy(&attr);
	parallel(add, add);
	assert(count == 4);
	return 0;
}
