/* pthread_exit in main lets the other threads finish.
 * expect sc,rc11: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *work(void *unused)
{
	x++;
	assert(x == 2);
	return unused;
}

int main(void)
{
	pthread_t thread;

	x = 1;
	pthread_create(&thread, NULL, work, NULL);
	pthread_exit(NULL);
}
