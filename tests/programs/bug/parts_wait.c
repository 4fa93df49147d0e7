/* A thread waits for a half of a word to change; another one stores to the other half.
 * expect sc,tso,ra,rc11: violation liveness at WAIT
 */
#include "../parallel.h"

#include <stdint.h>

static union {
	_Atomic uint32_t whole;
	_Atomic uint16_t half[2];
} u;

static void waiter(void)
{
	while (!load(&u.half[0], acquire)) /* WAIT */
		;
}

static void other(void)
{
	store(&u.half[1], 1, release);
}

int main(void)
{
	assert(!load(&u.whole, relaxed));
	parallel(waiter, other);
	return 0;
}
