/* A thread-local variable can be reached by others through a pointer.
 * expect sc,rc11: verified
 */
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#include <stddef.h>

static _Thread_local int mine;
static int *theirs;
static sem_t given, used;

static void *owner(void *unused)
{
	(void)unused;
	mine = 1;
	theirs = &mine;
	sem_post(&given);
	sem_wait(&used);
	assert(mine == 2);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	sem_init(&given, 0, 0);
	sem_init(&used, 0, 0);
	pthread_create(&thread, NULL, owner, NULL);
	sem_wait(&given);
	assert(theirs != &mine && *theirs == 1);
	*theirs = 2;
	sem_post(&used);
	pthread_join(thread, NULL);
	return 0;
}
