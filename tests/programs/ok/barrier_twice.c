/* A barrier can be used again at once.
 * expect sc,rc11: verified
 */
#include "../parallel.h"

static pthread_barrier_t barrier;
static int x[2];

static void phases(int me)
{
	x[me] = 1;
	pthread_barrier_wait(&barrier);
	assert(x[1 - me] == 1);
	pthread_barrier_wait(&barrier);
	x[me] = 2;
}

static void left(void)
{
	phases(0);
}

static void right(void)
{
	phases(1);
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	parallel(left, right);
	assert(x[0] + x[1] == 4);
	return 0;
}
