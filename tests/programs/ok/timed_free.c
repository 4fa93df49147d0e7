/* What can be had at once does not time out.
 * expect sc,rc11: verified
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static mtx_t mtx;

static void *use(void *unused)
{
	struct timespec when = { 1, 0 };

	assert(!pthread_rwlock_timedrdlock(&rwlock, &when));
	pthread_rwlock_unlock(&rwlock);
	return unused;
}

int main(void)
{
	struct timespec when = { 1, 0 };
	pthread_t thread;

	sem_init(&semaphore, 0, 1);
	mtx_init(&mtx, mtx_timed);
	assert(!pthread_mutex_timedlock(&mutex, &when));
	assert(!sem_timedwait(&semaphore, &when));
	assert(sem_timedwait(&semaphore, &when)); /* its value is 0 */
	assert(!sem_post(&semaphore) && !sem_timedwait(&semaphore, &when));
	assert(mtx_timedlock(&mtx, &when) == thrd_success);
	assert(!pthread_rwlock_timedwrlock(&rwlock, &when));
	pthread_rwlock_unlock(&rwlock);
	assert(!pthread_rwlock_timedrdlock(&rwlock, &when));
	pthread_create(&thread, NULL, use, NULL); /* readers do not keep readers out */
	pthread_join(thread, NULL);
	return 0;
}
