/* Who has left a barrier may destroy it, and free it, though the other thread has not yet seen
 * that it may leave.
 * expect sc,tso,ra,rc11: verified
 * expect rc11 -- -DFREE: verified
 */
#include <stdlib.h>

#include "../parallel.h"

static pthread_barrier_t *barrier;
static int data;

static void write(void)
{
	data = 1;
	pthread_barrier_wait(barrier);
}

static void read_and_destroy(void)
{
	pthread_barrier_wait(barrier);
	assert(data == 1);
	pthread_barrier_destroy(barrier);
#ifdef FREE
	free(barrier);
#endif
}

int main(void)
{
	barrier = malloc(sizeof *barrier);
	pthread_barrier_init(barrier, NULL, 2);
	parallel(write, read_and_destroy);
	return 0;
}
