/* Registers that are not linearizable.
 *
 *     default   a thread may read what it read or wrote last: sequentially consistent, but not quiescently consistent, since what it
 *               reads may be old also when no call is open
 *     -DLATE    while a value is being written, a read returns the old one or the new one: quiescently consistent, but not
 *               sequentially consistent, since a thread may read the new one and then the old one
 */
#include <linchpin.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LATE
static atomic_long value;
static _Thread_local long cached;
static _Thread_local int has;

LP_SPEC("register")

LP_METHOD(write, v)
{
	atomic_store(&value, v);
	cached = v;
	has = 1;
	return LP_VOID;
}

LP_METHOD(read)
{
	if (!has || lp_choose(2)) {
		cached = atomic_load(&value);
		has = 1;
	}
	return cached;
}
#else
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
static atomic_long value, next;
static atomic_int pending;

LP_SPEC("register")

LP_METHOD(write, v)
{
	pthread_mutex_lock(&writing);
	atomic_store(&next, v);
	atomic_store(&pending, 1);
	atomic_store(&value, v);
	atomic_store(&pending, 0);
	pthread_mutex_unlock(&writing);
	return LP_VOID;
}

LP_METHOD(read)
{
	if (atomic_load(&pending) && lp_choose(2))
		return atomic_load(&next);
	return atomic_load(&value);
}
#endif
