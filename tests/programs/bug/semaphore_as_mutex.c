/* A semaphore of two is no mutex.
 * expect sc,rc11: violation race at BUG
 */
#include <semaphore.h>

#include "../parallel.h"

static sem_t s;
static int count;

static void add(void)
{
	sem_wait(&s);
	count++; /* BUG */
	sem_post(&s);
}

int main(void)
{
	sem_init(&s, 0, 2);
	parallel(add, add);
	return 0;
}
