/* gate.c -- for formulae: a counter behind a mutex, and a gate that is open or not.
 *
 *     -DSTUCK   a thread that finds the gate closed keeps the mutex until it is open
 */
#include <linchpin.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int gate, inside;

LP_SPEC("register")
LP_ARGS("write 0 1")

LP_PROPOSITION(is_open) { return gate; }
LP_PROPOSITION(crowded) { return inside > 1; }
LP_PROPOSITION(occupied) { return inside; }

LP_METHOD(write, v)
{
	gate = (int)v;
	return LP_VOID;
}

LP_METHOD(read)
{
	pthread_mutex_lock(&mutex);
	atomic_fetch_add(&inside, 1);
#ifdef STUCK
	while (!gate)
		;
#endif
	const int v = gate;
	atomic_fetch_sub(&inside, 1);
	pthread_mutex_unlock(&mutex);
	return v;
}
