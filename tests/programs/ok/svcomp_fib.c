/* Three rounds of two threads adding: neither sum can exceed the 8th Fibonacci number.
 * options: --races ignore -- -O0
 * expect sc: verified
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

static void watch(void)
{
	assert(i <= 21 && j <= 21);
}

int main(void)
{
	parallel(grow_i, grow_j, watch);
	return 0;
}
