/* Allocated by one thread, filled by another, freed by the first.
 * expect sc,rc11: verified, executions 1
 * expect rc11 --leaks: verified, executions 1
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *fill(void *arg)
{
	*(int *)arg = 42;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int *block = malloc(sizeof *block);

	pthread_create(&thread, NULL, fill, block);
	pthread_join(thread, NULL);
	assert(*block == 42);
	free(block);
	return 0;
}
