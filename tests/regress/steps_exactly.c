/* A bound on the steps of a thread that it just keeps: its end is no step.
 * expect sc,rc11 --steps 6: verified, executions 1
 * expect sc,rc11 --no-spin --steps 6: verified, executions 1
 * expect sc,rc11 --steps 5: violation endless loop at LAST
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *adds(void *arg)
{
	atomic_fetch_add(&x, 1);
	atomic_fetch_add(&x, 1);
	atomic_store(&x, 1);
	atomic_fetch_add(&x, 1); /* LAST */
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, adds, NULL);
	pthread_join(thread, NULL);
	return 0;
}
