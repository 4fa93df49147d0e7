/* mutex.c -- a mutex of pthreads. */
#include "lock.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(int me)
{
	(void)me;
	pthread_mutex_lock(&mutex);
}

static void unlock(int me)
{
	(void)me;
	pthread_mutex_unlock(&mutex);
}
