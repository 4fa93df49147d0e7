/* The queued spin lock of Linux: whether it is held, whether a thread is next, and the tail of a queue of
 * the others, in one word that is accessed by bytes, halves and as a whole.
 * expect sc,tso: verified
 */
#include "../parallel.h"

#include <stdint.h>

static union {
	_Atomic uint32_t val;
	struct {
		_Atomic uint8_t locked, pending;
		_Atomic uint16_t tail;
	};
	_Atomic uint16_t locked_pending;
} lock;
static struct {
	_Atomic int ready;
	_Atomic uint16_t next;
} node[4];
static int counter;

static void wait_in_queue(uint16_t me)
{
	const uint16_t before = exchange(&lock.tail, me, acq_rel);
	uint32_t val;

	if (before) {
		store(&node[before].next, me, release);
		while (!load(&node[me].ready, acquire))
			;
	}
	while ((val = load(&lock.val, acquire)) & 0xffff)
		;
	if (val >> 16 == me && cas(&lock.val, &val, 1, acquire))
		return; /* no thread is queued behind us */
	store(&lock.locked, 1, relaxed);
	while (!load(&node[me].next, acquire))
		;
	store(&node[load(&node[me].next, relaxed)].ready, 1, release);
}

static void take(uint16_t me)
{
	uint32_t val = 0;

	if (cas(&lock.val, &val, 1, acquire))
		return;
	val = atomic_fetch_or_explicit(&lock.val, 0x100, acquire);
	if (val & ~0xffu) {
		if (!(val & 0x100))
			store(&lock.pending, 0, relaxed);
		wait_in_queue(me);
		return;
	}
	while (load(&lock.locked, acquire))
		;
	store(&lock.locked_pending, 1, relaxed);
}

static void work(uint16_t me)
{
	take(me);
	counter++;
#ifdef BROKEN
	store(&lock.locked_pending, 0, release);
#else
	store(&lock.locked, 0, release);
#endif
}

static void first(void)
{
	work(1);
}

static void second(void)
{
	work(2);
}

static void third(void)
{
	work(3);
}

int main(void)
{
	parallel(first, second, third);
	assert(counter == 3 && !load(&lock.val, relaxed));
	return 0;
}
