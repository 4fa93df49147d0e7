/* held.c -- a mutex: who waits for it cannot take a step, and who holds it may be between two calls forever. */
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
