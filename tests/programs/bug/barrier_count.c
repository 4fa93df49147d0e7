/* A barrier for three, and two who come.
 * expect sc,rc11: violation deadlock
 */
#include "../parallel.h"

static pthread_barrier_t barrier;

static void meet(void)
{
	pthread_barrier_wait(&barrier);
}

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 3);
	parallel(meet, meet);
	return 0;
}
