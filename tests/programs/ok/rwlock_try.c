/* expect sc,rc11: verified, executions 1
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
	pthread_rwlock_t lock;

	pthread_rwlock_init(&lock, NULL);
	assert(pthread_rwlock_tryrdlock(&lock) == 0);
	assert(pthread_rwlock_tryrdlock(&lock) == 0);
	assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_unlock(&lock);
	assert(pthread_rwlock_trywrlock(&lock) == 0);
	assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_destroy(&lock);
	return 0;
}
