/* A detached thread cannot be joined.
 * expect sc,rc11: violation thread misuse at BUG
 */
#include <pthread.h>
#include <stddef.h>

static void *work(void *unused)
{
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_detach(thread);
	pthread_join(thread, NULL); /* BUG */
	return 0;
}
