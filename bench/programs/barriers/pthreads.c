/* pthreads.c -- a barrier of pthreads (GNU C: the type is not declared with -std=c11 alone). */
#define HAS_SETUP
#include "barrier.h"

static pthread_barrier_t barrier;

static void setup(void)
{
	pthread_barrier_init(&barrier, NULL, N);
}

static void meet(int me)
{
	(void)me;
	pthread_barrier_wait(&barrier);
}
