/* main does not wait for the thread, and looks at its result.
 * expect sc,rc11: violation race at BUG
 */
#include <pthread.h>
#include <stddef.h>

static int result;

static void *work(void *unused)
{
	result = 42; /* BUG */
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	return result; /* BUG */
}
