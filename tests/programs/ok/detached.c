/* A detached thread is not joined; a semaphore tells that it is done.
 * expect sc,rc11: verified
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t done;
static int x;

static void *work(void *unused)
{
	(void)unused;
	x = 1;
	sem_post(&done);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	sem_init(&done, 0, 0);
	pthread_create(&thread, NULL, work, NULL);
	pthread_detach(thread);
	sem_wait(&done);
	assert(x == 1);
	return 0;
}
