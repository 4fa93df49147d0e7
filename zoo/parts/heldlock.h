/* heldlock.h -- a lock that can be asked whether it is held: what quiesce() of the refinable
 * tables needs of Java's ReentrantLock.
 *
 * The holder is identified by an address of the caller, one for each call: no call keeps a lock
 * when it returns.
 */
#ifndef ZOO_PARTS_HELDLOCK_H
#define ZOO_PARTS_HELDLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct heldlock {
	_Atomic(const void *) holder;
};

static inline void heldlock_lock(struct heldlock *l, const void *me)
{
	const void *nobody;

	do
		nobody = NULL;
	while (!atomic_compare_exchange_strong(&l->holder, &nobody, me));
}

static inline void heldlock_unlock(struct heldlock *l)
{
	atomic_store(&l->holder, NULL);
}

static inline bool heldlock_is_held(struct heldlock *l)
{
	return atomic_load(&l->holder);
}

#endif
