/* barrier.h -- N threads write, meet at a barrier, and read what their neighbour wrote.
 *
 * The program has meet(), and may have a setup() (define HAS_SETUP). */
#include "../bench.h"

#ifndef N
#define N 3
#endif

static void meet(int me);

static int value[N];

static void *worker(void *arg)
{
	int me = number(arg);

	value[me] = 1;
	meet(me);
	assert(value[(me + 1) % N] == 1);
	return NULL;
}

#ifdef HAS_SETUP
static void setup(void);
#endif

int main(void)
{
#ifdef HAS_SETUP
	setup();
#endif
	run_numbered(N, worker, 0);
	return 0;
}
