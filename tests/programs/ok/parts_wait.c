/* A thread waits for a word to change, of which another one stores to a half.
 * expect sc,tso,ra,rc11: verified
 */
#include "../parallel.h"

#include <stdint.h>

static union {
	_Atomic uint32_t whole;
	_Atomic uint16_t half[2];
} u;

static void waiter(void)
{
	while (!load(&u.whole, acquire))
		;
}

static void other(void)
{
	store(&u.half[1], 1, release);
}

int main(void)
{
	parallel(waiter, other);
	return 0;
}
