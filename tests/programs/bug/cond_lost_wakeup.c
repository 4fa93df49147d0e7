/* Waiting without a predicate: a signal that comes first is lost.
 * expect sc,rc11: violation deadlock
 */
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
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	parallel(setter, waiter);
	return 0;
}
