/* expect sc,rc11: violation thread misuse at BUG
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
	pthread_join(thread, NULL);
	pthread_join(thread, NULL); /* BUG */
	return 0;
}
