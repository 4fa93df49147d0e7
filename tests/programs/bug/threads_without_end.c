/* A thread bomb.
 * expect rc11: violation thread misuse
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
