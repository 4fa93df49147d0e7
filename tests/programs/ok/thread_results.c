/* Results of threads: by return, by pthread_exit in a called function; identity.
 * expect sc,rc11: verified, executions 1
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int here, there;

static void leave(void)
{
	pthread_exit(&there);
}

static void *by_return(void *arg)
{
	return arg;
}

static void *by_exit(void *arg)
{
	(void)arg;
	leave();
	assert(0);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	void *result;

	pthread_create(&a, NULL, by_return, &here);
	pthread_create(&b, NULL, by_exit, NULL);
	assert(!pthread_equal(a, b) && !pthread_equal(a, pthread_self()));
	pthread_join(a, &result);
	assert(result == &here);
	pthread_join(b, &result);
	assert(result == &there);
	return 0;
}
