/* A thread bomb: how many threads there can be is a limit of linchpin's, and no error.
 * expect rc11: inconclusive, says "more than 1024 threads"
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

	for (;;)
		pthread_create(&thread, NULL, work, NULL);
}
