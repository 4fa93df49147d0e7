/* A timed wait ends by a signal or a timeout: no thread hangs.
 * expect sc,rc11: verified
 */
#include <errno.h>
#include <time.h>

#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void setter(void)
{
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void waiter(void)
{
	struct timespec when = { 1, 0 };
	int result;

	pthread_mutex_lock(&lock);
	result = pthread_cond_timedwait(&changed, &lock, &when);
	assert(result == 0 || result == ETIMEDOUT);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	parallel(setter, waiter);
	return 0;
}
