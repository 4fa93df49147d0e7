/* held.c -- a mutex: a thread that waits for it cannot take a step, and its holder may be between two calls forever. */
#include <linchpin.h>
#include <pthread.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

LP_SPEC("lock")
LP_METHOD(lock)
{
	pthread_mutex_lock(&held);
	return LP_VOID;
}
LP_METHOD(unlock)
{
	pthread_mutex_unlock(&held);
	return LP_VOID;
}
LP_AFTER("unlock", "lock")
