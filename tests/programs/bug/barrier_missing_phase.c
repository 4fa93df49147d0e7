/* One barrier where two are needed: the next phase overtakes.
 * expect sc,rc11: violation race at BUG
 */
#include "../parallel.h"

static pthread_barrier_t barrier;
static int x[2];

static void left(void)
{
	x[0] = 1;
	pthread_barrier_wait(&barrier);
	x[0] = 2; /* BUG */
}

static void right(void)
{
	x[1] = 1;
	pthread_barrier_wait(&barrier);
	assert(x[0] == 1); /* BUG */
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	parallel(left, right);
	return 0;
}
