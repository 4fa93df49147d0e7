/* The queue lock of Mellor-Crummey and Scott: everyone spins on a flag of its own.
 * expect sc,tso,ra,rc11: verified
 */
#include "../parallel.h"

struct waiter {
	_Atomic(struct waiter *) next;
	atomic_bool waits;
};
static _Atomic(struct waiter *) tail;
static struct waiter waiter[2];
static int count;

static void add(struct waiter *me)
{
	struct waiter *before, *self = me;

	store(&me->next, NULL, relaxed);
	store(&me->waits, 1, relaxed);
	before = exchange(&tail, me, acq_rel);
	if (before) {
		store(&before->next, me, release);
		while (load(&me->waits, acquire))
			;
	}
	count++;
	if (!load(&me->next, acquire)) {
		if (cas(&tail, &self, NULL, acq_rel))
			return;
		while (!load(&me->next, acquire))
			;
	}
	store(&load(&me->next, acquire)->waits, 0, release);
}

static void first(void)
{
	add(&waiter[0]);
}

static void second(void)
{
	add(&waiter[1]);
}

int main(void)
{
	parallel(first, second);
	assert(count == 2);
	return 0;
}
