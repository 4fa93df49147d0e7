/* A post is ordered before waits, not before other posts: nothing orders the two writes.
 * expect sc,tso: verified
 * expect rc11: violation race at RACE
 * expect sc,tso,rc11 -- -DWAIT: verified
 */
#include <semaphore.h>

#include "../parallel.h"

static sem_t posted;
static atomic_int flag;
static int data;

static void first(void)
{
	data = 1; /* RACE */
	sem_post(&posted);
	store(&flag, 1, relaxed);
}

static void second(void)
{
	if (!load(&flag, relaxed))
		return;
#ifdef WAIT
	sem_wait(&posted);
#endif
	sem_post(&posted);
	data = 2; /* RACE */
}

int main(void)
{
	sem_init(&posted, 0, 0);
	parallel(first, second);
	return 0;
}
