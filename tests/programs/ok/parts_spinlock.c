/* A lock as Linux has it, without its queue: a byte that says whether it is held, one that says whether
 * a thread is next, in a word that is also read and compared as a whole.
 * expect sc,tso,ra,rc11: verified
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
	store(&lock.locked_pending, 1, relaxed);
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
	assert(counter >= 1);
	return 0;
}
