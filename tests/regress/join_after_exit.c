/* A thread that ends the program never ends itself: it cannot be joined.
 * expect sc,tso,ra,rc11: verified, executions 1
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *body(void *unused)
{
	(void)unused;
	exit(0);
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, body, NULL);
	pthread_join(t, NULL);
	assert(0);
}
