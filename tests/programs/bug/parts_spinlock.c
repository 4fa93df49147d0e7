/* A lock as Linux has it, without its queue: a byte that says whether it is held, one that says whether
 * a thread is next, in a word that is also read and compared as a whole.
 * Here the next holder takes the lock by a store to the byte that says it is held, and stays marked as next.
 * expect sc,tso: violation assertion at BUG
 */
#include "../parallel.h"

#include <stdint.h>

static union {
	_Atomic uint32_t val;
	struct {
		_Atomic uint8_t locked, pending;
	};
	_Atomic uint16_t locked_pending;
} lock;
static int counter;

static _Bool take(void)
{
	uint32_t free = 0;

	if (cas(&lock.val, &free, 1, acquire))
		return 1;
	if (atomic_fetch_or_explicit(&lock.val, 0x100, acquire) & 0x100)
		return 0; /* another thread is next: to the queue, which is not here */
	while (load(&lock.locked, acquire))
		;
	store(&lock.locked, 1, relaxed);
	return 1;
}

static void work(void)
{
	if (!take())
		return;
	counter++;
	store(&lock.locked, 0, release);
}

int main(void)
{
	parallel(work, work, work);
	assert(!load(&lock.val, relaxed)); /* BUG */
	return 0;
}
