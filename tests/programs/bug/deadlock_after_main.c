/* main has left by pthread_exit(): the others go on, and one of them waits forever.
 * expect sc,rc11: violation deadlock
 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *take(void *unused)
{
	pthread_mutex_lock(&lock);
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, take, NULL);
	pthread_create(&b, NULL, take, NULL);
	pthread_exit(NULL);
}
