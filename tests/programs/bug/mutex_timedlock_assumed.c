/* A timed lock may time out.
 * expect sc,rc11: violation assertion at BUG
 */
#include <time.h>

#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void hold(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static void attempt(void)
{
	struct timespec when = { 1, 0 };

	assert(pthread_mutex_timedlock(&lock, &when) == 0); /* BUG */
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	parallel(hold, attempt);
	return 0;
}
