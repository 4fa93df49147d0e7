/* A counter behind locks: two of them, taken in one order or in both. */
#include <linchpin.h>
#include <pthread.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
static int count;

LP_SPEC("counter:k=3")

static void lock(pthread_mutex_t *a, pthread_mutex_t *b)
{
	pthread_mutex_lock(a);
	pthread_mutex_lock(b);
}

static void unlock(void)
{
	pthread_mutex_unlock(&one);
	pthread_mutex_unlock(&two);
}

LP_METHOD(increment)
{
	lock(&one, &two);
	count = (count + 1) % 3;
	unlock();
	return LP_VOID;
}

LP_METHOD(read)
{
#ifdef RACE
	return count;
#else
#ifdef DEADLOCK
	lock(&two, &one);
#else
	lock(&one, &two);
#endif
	const int n = count;
	unlock();
	return n;
#endif
}

#ifdef FORGOTTEN
/* From now on the lock stays taken. */
LP_METHOD(decrement)
{
	pthread_mutex_lock(&one);
	count = (count + 2) % 3;
	return LP_VOID;
}
#endif
