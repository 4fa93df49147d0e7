/* Peterson's algorithm on plain variables, as textbooks print it.
 * options: --races ignore -- -O0
 * expect sc: verified
 */
#include "../parallel.h"

static int wants[2], last, inside;

static void enter(int me)
{
	wants[me] = 1;
	last = me;
	while (wants[1 - me] && last == me)
		;
	inside++;
	assert(inside == 1);
	inside--;
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
