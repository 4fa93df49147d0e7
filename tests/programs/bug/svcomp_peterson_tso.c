/* The same is wrong on a machine with store buffers.
 * options: --races ignore -- -O0
 * expect sc: verified
 * expect tso: violation assertion at BUG
 */
#include "../parallel.h"

static int wants[2], last;
static atomic_int inside;

static void enter(int me)
{
	wants[me] = 1;
	last = me;
	while (wants[1 - me] && last == me)
		;
	assert(fetch_add(&inside, 1, relaxed) == 0); /* BUG */
	fetch_add(&inside, -1, relaxed);
	wants[me] = 0;
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
	return 0;
}
