/* sem_getvalue() says how many permits there are, and orders nothing: it is not among the functions that synchronise
 * memory (POSIX, XBD 4.12), and glibc reads the value with a relaxed load.
 * expect rc11: violation race at RACE
 * expect sc,rc11 -- -DWAIT: verified
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t posted;
static int x;

static void *post(void *unused)
{
	x = 1; /* RACE */
	sem_post(&posted);
	return unused;
}

int main(void)
{
	pthread_t t;
	int value;

	sem_init(&posted, 0, 0);
	pthread_create(&t, NULL, post, NULL);
	sem_getvalue(&posted, &value);
#ifdef WAIT
	sem_wait(&posted);
	value = 1;
#endif
	if (value == 1)
		x = 2; /* RACE */
	pthread_join(t, NULL);
	return 0;
}
