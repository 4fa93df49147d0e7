/* The checker may come between the two assignments of the setter.
 * options: --races ignore -- -O0
 * expect sc: violation assertion at BUG
 */
#include "../parallel.h"

static int a, b;

static void setter(void)
{
	a = 1;
	b = -1;
}

static void checker(void)
{
	int x = a, y = b;

	assert((x == 0 && y == 0) || (x == 1 && y == -1)); /* BUG */
}

int main(void)
{
	parallel(setter, setter, checker);
	return 0;
}
