/* A ticket lock in one word: the next ticket and the one that is served, 16 bits each.  To take a
 * ticket is an addition to the word, to give the lock back a store to its half.
 * expect sc,tso,ra,rc11: verified
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
	store(&lock.served, ticket + 1, release);
}

int main(void)
{
	parallel(work, work, work);
	assert(counter == 3);
	return 0;
}
