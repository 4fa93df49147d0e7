/* lock.h -- N threads, each once in the critical section of a lock.
 *
 * The program has lock() and unlock(), and includes this first.  A lock that looks at the
 * number of its thread defines NUMBERED; threads are alike otherwise. */
#include "../bench.h"

#ifndef N
#define N 3
#endif

static void lock(int me);
static void unlock(int me);

static int count;

static void *worker(void *arg)
{
	int me = number(arg);

	lock(me);
	count++;
	unlock(me);
	return NULL;
}

int main(void)
{
#ifdef NUMBERED
	run_numbered(N, worker, 0);
#else
	run(N, worker);
#endif
	assert(count == N);
	return 0;
}
