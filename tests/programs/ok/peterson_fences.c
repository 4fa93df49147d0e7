/* Peterson's algorithm by fences and an exchange.
 * expect sc,tso,rc11: verified
 */
#include "../parallel.h"

static atomic_int wants[2], last;
static int count;

static void enter(int me)
{
	store(&wants[me], 1, relaxed);
	exchange(&last, me, acq_rel);
	fence(seq_cst);
	while (load(&wants[1 - me], acquire) && load(&last, relaxed) == me)
		;
	count++;
	store(&wants[me], 0, release);
}

static void first(void)
{
	enter(0);
}

static void second(void)
{
	enter(1);
}

int main(void)
{
	parallel(first, second);
	assert(count == 2);
	return 0;
}
