/* The bound is reached in one interleaving.
 * options: --races ignore -- -O0
 * expect sc: violation assertion at BUG
 */
#include "../parallel.h"

static int i = 1, j = 1;

static void grow_i(void)
{
	for (int k = 0; k < 3; k++)
		i += j;
}

static void grow_j(void)
{
	for (int k = 0; k < 3; k++)
		j += i;
}

int main(void)
{
	parallel(grow_i, grow_j);
	assert(i < 21 && j < 21); /* BUG */
	return 0;
}
