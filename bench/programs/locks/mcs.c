/* mcs.c -- the queue lock of Mellor-Crummey and Scott (1991). */
#define NUMBERED
#include "lock.h"

struct waiter {
	_Atomic(struct waiter *) next;
	atomic_bool waits;
};

static _Atomic(struct waiter *) tail;
static struct waiter waiter[N];

static void lock(int me)
{
	struct waiter *self = &waiter[me], *before;

	store(&self->waits, true, relaxed);
	before = exchange(&tail, self, acq_rel);
	if (before == NULL)
		return;
	store(&before->next, self, release);
	while (load(&self->waits, acquire))
		;
}

static void unlock(int me)
{
	struct waiter *self = &waiter[me], *last = self, *after;

	if (load(&self->next, acquire) == NULL) {
		if (cas(&tail, &last, NULL, release))
			return;
		while (load(&self->next, acquire) == NULL)
			;
	}
	after = load(&self->next, acquire);
	store(&after->waits, false, release);
}
