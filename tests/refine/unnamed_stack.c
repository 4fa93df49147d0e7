/* unnamed_stack.c -- as unnamed.c, but the last value comes first.  With equal values no client could tell. */
#include <linchpin.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long item[32];
static int count;

LP_METHOD(enqueue, v)
{
	pthread_mutex_lock(&lock);
	item[count++] = v;
	pthread_mutex_unlock(&lock);
	return LP_VOID;
}

LP_METHOD(dequeue)
{
	int64_t v = LP_EMPTY;

	pthread_mutex_lock(&lock);
	if (count)
		v = item[--count] + 1;
	pthread_mutex_unlock(&lock);
	return v;
}
