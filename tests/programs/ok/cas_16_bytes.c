/* A pointer with a counter, changed together.
 * options: --no-symmetry
 * expect sc,rc11: verified, executions 2
 */
#include "../parallel.h"

typedef unsigned __int128 wide;
static wide top;

static wide pair(unsigned long pointer, unsigned long count)
{
	return (wide)count << 64 | pointer;
}

static void push(void)
{
	wide old = pair(0, 0);

	if (!__atomic_compare_exchange_n(&top, &old, pair(5, 1), 0, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		assert(old == pair(5, 1));
}

int main(void)
{
	wide end;

	parallel(push, push);
	end = __atomic_load_n(&top, __ATOMIC_RELAXED);
	assert((unsigned long)(end >> 64) == 1 && (unsigned long)end == 5);
	return 0;
}
