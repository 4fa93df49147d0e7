/* unnamed.c -- not quite a queue, and it does not say that it is one. */
#include <linchpin.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long item[32];
static int front, back;

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
		v = item[front++] + 1;
	pthread_mutex_unlock(&lock);
	return v;
}
