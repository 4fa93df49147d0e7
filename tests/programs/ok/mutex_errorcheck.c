/* An error-checking mutex answers misuse by an error code.
 * expect sc,rc11: verified, executions 1
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t lock;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&lock, &attr);
	assert(pthread_mutex_unlock(&lock) == EPERM);
	assert(pthread_mutex_lock(&lock) == 0);
	assert(pthread_mutex_lock(&lock) == EDEADLK);
	assert(pthread_mutex_unlock(&lock) == 0);
	return 0;
}
