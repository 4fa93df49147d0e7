/* An atomic store and a plain load of the same variable, by a cast.
 * expect rc11: violation race at BUG
 */
#include "../parallel.h"

static int x;

static void left(void)
{
	__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); /* BUG */
}

static void right(void)
{
	int seen = x; /* BUG */

	(void)*(volatile int *)&seen;
}

int main(void)
{
	parallel(left, right);
	return 0;
}
