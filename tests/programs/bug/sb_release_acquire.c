/* Release and acquire are not enough for store buffering.
 * expect sc: verified, executions 3
 * expect tso,ra,rc11: violation assertion at BUG
 */
#include "../parallel.h"

static atomic_int x, y;
static int a, b;

static void left(void)
{
	store(&x, 1, release);
	a = load(&y, acquire);
}

static void right(void)
{
	store(&y, 1, release);
	b = load(&x, acquire);
}

int main(void)
{
	parallel(left, right);
	assert(a == 1 || b == 1); /* BUG */
	return 0;
}
