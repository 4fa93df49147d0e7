/* A semaphore of two lets no third one in.
 * expect sc,rc11: verified
 */
#include <semaphore.h>

#include "../parallel.h"

static sem_t places;
static atomic_int inside;

static void visit(void)
{
	sem_wait(&places);
	assert(fetch_add(&inside, 1, seq_cst) < 2);
	fetch_add(&inside, -1, seq_cst);
	sem_post(&places);
}

int main(void)
{
	int left;

	sem_init(&places, 0, 2);
	parallel(visit, visit, visit);
	assert(sem_getvalue(&places, &left) == 0 && left == 2);
	return 0;
}
