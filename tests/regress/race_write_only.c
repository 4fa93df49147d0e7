/* Two writes race even if the variable is never read.
 * expect sc,tso,ra,rc11: violation race at WRITES
 */
#include <pthread.h>

static int only_written;

static void *writes(void *arg)
{
	only_written = 2; /* WRITES */
	return arg;
}

int main(void)
{
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, writes, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
