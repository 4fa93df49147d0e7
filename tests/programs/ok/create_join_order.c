/* Creation and joining order plain accesses, through a chain of threads too.
 * expect sc,tso,ra,rc11: verified, executions 1
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *inner(void *unused)
{
	(void)unused;
	assert(x == 2);
	x = 3;
	return NULL;
}

static void *outer(void *unused)
{
	pthread_t child;

	(void)unused;
	assert(x == 1);
	x = 2;
	pthread_create(&child, NULL, inner, NULL);
	pthread_join(child, NULL);
	assert(x == 3);
	return NULL;
}

int main(void)
{
	pthread_t child;

	x = 1;
	pthread_create(&child, NULL, outer, NULL);
	pthread_join(child, NULL);
	assert(x == 3);
	return 0;
}
