/* queue_lock.c -- a queue under one lock: all calls are ordered. */
#include <linchpin.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long item[32];
static int front, back;

LP_SPEC("queue")

LP_METHOD(enqueue, v)
{
	pthread_mutex_lock(&lock);
	item[back++] = v;
	pthread_mutex_unlock(&lock);
	return LP_VOID;
}

LP_METHOD(dequeue)
{
	int64_t v = LP_EMPTY;

	pthread_mutex_lock(&lock);
	if (front < back)
		v = item[front++];
	pthread_mutex_unlock(&lock);
	return v;
}
