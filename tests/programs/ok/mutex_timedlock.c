/* timedlock gets the mutex, or gives up while another holds it.
 * expect sc,rc11: verified
 */
#include <errno.h>
#include <time.h>

#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void hold(void)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
}

static void attempt(void)
{
	struct timespec when = { 1, 0 };
	int result = pthread_mutex_timedlock(&lock, &when);

	assert(result == 0 || result == ETIMEDOUT);
	if (result == 0) {
		count++;
		pthread_mutex_unlock(&lock);
	}
}

int main(void)
{
	parallel(hold, attempt);
	assert(count == 1 || count == 2);
	return 0;
}
