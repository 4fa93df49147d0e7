/* Recursion that ends.
 * expect sc,rc11: verified, executions 1
 */
#include <assert.h>

static int sum(int n)
{
	volatile int here = n;

	return here == 0 ? 0 : here + sum(n - 1);
}

int main(void)
{
	assert(sum(200) == 20100);
	return 0;
}
