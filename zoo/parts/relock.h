/* relock.h -- a lock that its holder may take again: Java's ReentrantLock.
 *
 * With -DFAIR_LOCKS it is given to those who wait in the order in which they came
 * (ReentrantLock(true)); the order matters only where a thread can be overtaken forever.
 */
#ifndef ZOO_PARTS_RELOCK_H
#define ZOO_PARTS_RELOCK_H

#include <pthread.h>

#ifdef FAIR_LOCKS
#include <stdatomic.h>

struct relock {
	atomic_uint ticket, turn;
	_Atomic(pthread_t) holder;
	unsigned depth; /* of the holder */
};

static inline void relock_init(struct relock *l)
{
	atomic_init(&l->ticket, 0);
	atomic_init(&l->turn, 0);
	atomic_init(&l->holder, 0);
	l->depth = 0;
}

static inline void relock_lock(struct relock *l)
{
	if (l->holder != pthread_self()) {
		const unsigned mine = atomic_fetch_add(&l->ticket, 1);
		while (l->turn != mine)
			;
		l->holder = pthread_self();
	}
	l->depth++;
}

static inline void relock_unlock(struct relock *l)
{
	if (--l->depth)
		return;
	l->holder = 0;
	l->turn = l->turn + 1;
}
#else
struct relock {
	pthread_mutex_t mutex;
};

static inline void relock_init(struct relock *l)
{
	pthread_mutexattr_t reentrant;

	pthread_mutexattr_init(&reentrant);
	pthread_mutexattr_settype(&reentrant, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&l->mutex, &reentrant);
}

static inline void relock_lock(struct relock *l)
{
	pthread_mutex_lock(&l->mutex);
}

static inline void relock_unlock(struct relock *l)
{
	pthread_mutex_unlock(&l->mutex);
}
#endif

#endif
