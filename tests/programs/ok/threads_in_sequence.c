/* Threads one after another, more than there can be at a time in sets of waiting threads.
 * expect sc,rc11: verified, executions 1
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *unused)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	for (int i = 0; i < 200; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, work, NULL);
		pthread_join(thread, NULL);
	}
	assert(count == 200);
	return 0;
}
