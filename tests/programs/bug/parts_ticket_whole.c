/* A ticket lock in one word whose owner gives it back by a store to the whole word: tickets that were
 * taken meanwhile are lost.
 * expect sc,tso,ra,rc11: violation race|deadlock|liveness|assertion
 */
#include "../parallel.h"

#include <stdint.h>

static union {
	_Atomic uint32_t both;
	struct {
		_Atomic uint16_t served, next;
	};
} lock;
static int counter;

static void work(void)
{
	const uint32_t taken = fetch_add(&lock.both, 1u << 16, acquire);
	const uint16_t ticket = (uint16_t)(taken >> 16);

	while (load(&lock.served, acquire) != ticket)
		;
	counter++;
	store(&lock.both, (taken & 0xffff0000) + 0x10000 + ticket + 1u, release);
}

int main(void)
{
	parallel(work, work, work);
	assert(counter == 3);
	return 0;
}
