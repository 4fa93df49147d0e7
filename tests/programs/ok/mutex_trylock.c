/* trylock succeeds or says that the mutex is busy; it is not refused for no reason.
 * expect sc,rc11: verified
 */
#include <errno.h>

#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int entered;
static int inside;

static void attempt(void)
{
	int result = pthread_mutex_trylock(&lock);

	if (result == 0) {
		inside++;
		fetch_add(&entered, 1, relaxed);
		pthread_mutex_unlock(&lock);
	} else {
		assert(result == EBUSY);
	}
}

int main(void)
{
	parallel(attempt, attempt);
	assert(load(&entered, relaxed) >= 1);
	assert(pthread_mutex_trylock(&lock) == 0);
	return 0;
}
