/* Peterson's algorithm with release and acquire only.
 * expect sc: verified
 * expect tso,rc11,ra: violation race at BUG
 */
#include "../parallel.h"

static atomic_int wants[2], last;
static int count;

static void enter(int me)
{
	store(&wants[me], 1, release);
	store(&last, me, release);
	while (load(&wants[1 - me], acquire) && load(&last, acquire) == me)
		;
	count++; /* BUG */
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
	return 0;
}
