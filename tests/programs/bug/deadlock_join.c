/* Two threads that join each other.
 * expect sc,rc11: violation deadlock|thread misuse
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_t a, b;
static sem_t ready;

static void *join_b(void *unused)
{
	sem_wait(&ready);
	pthread_join(b, NULL);
	return unused;
}

static void *join_a(void *unused)
{
	sem_wait(&ready);
	pthread_join(a, NULL);
	return unused;
}

int main(void)
{
	sem_init(&ready, 0, 0);
	pthread_create(&a, NULL, join_b, NULL);
	pthread_create(&b, NULL, join_a, NULL);
	sem_post(&ready);
	sem_post(&ready);
	pthread_exit(NULL);
}
