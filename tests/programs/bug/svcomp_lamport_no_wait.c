/* Lamport's fast algorithm without the wait for the other's flag.
 * options: --races ignore -- -O0
 * expect sc: violation assertion at BUG
 */
#include "../parallel.h"

static int x, y, inside;

static void enter(int me)
{
	x = me;
	if (y != 0)
		return;
	y = me;
	if (x != me && y != me)
		return;
	inside++;
	assert(inside == 1); /* BUG */
	inside--;
	y = 0;
}

static void first(void)
{
	enter(1);
}

static void second(void)
{
	enter(2);
}

int main(void)
{
	parallel(first, second);
	return 0;
}
