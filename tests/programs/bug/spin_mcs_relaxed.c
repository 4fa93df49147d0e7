/* MCS lock that joins the queue by a relaxed exchange: the waiter's own initialisation
 * of its flag may overwrite the hand-over, and it waits forever.
 * expect rc11: violation liveness|race|assertion
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

	before = exchange(&tail, me, relaxed);
	if (before) {
		store(&me->waits, 1, relaxed);
		store(&before->next, me, relaxed);
		while (load(&me->waits, relaxed))
			;
	}
	count++;
	if (!load(&me->next, relaxed)) {
		if (cas(&tail, &self, NULL, relaxed))
			return;
		while (!load(&me->next, relaxed))
			;
	}
	store(&load(&me->next, relaxed)->waits, 0, relaxed);
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
	return 0;
}
