/* The semaphore is never posted.
 * expect sc,rc11: violation deadlock
 */
#include <semaphore.h>

#include "../parallel.h"

static sem_t s;

static void take(void)
{
	sem_wait(&s);
}

int main(void)
{
	sem_init(&s, 0, 1);
	parallel(take, take);
	return 0;
}
