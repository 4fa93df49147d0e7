/* The mutex is held, but by another thread.
 * expect sc,rc11: violation mutex misuse at BUG
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused)
{
	(void)unused;
	pthread_mutex_unlock(&lock); /* BUG */
	return NULL;
}

int main(void)
{
	pthread_t thread;

	pthread_mutex_lock(&lock);
	pthread_create(&thread, NULL, other, NULL);
	pthread_join(thread, NULL);
	return 0;
}
