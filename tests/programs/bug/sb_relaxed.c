/* Store buffering, relaxed: both reads may be stale wherever stores are delayed.
 * expect sc: verified, executions 3
 * expect tso,ra,rc11: violation assertion at BUG
 */
#include "../parallel.h"

static atomic_int x, y;
static int a, b;

static void left(void)
{
	store(&x, 1, relaxed);
	a = load(&y, relaxed);
}

static void right(void)
{
	store(&y, 1, relaxed);
	b = load(&x, relaxed);
}

int main(void)
{
	parallel(left, right);
	assert(a == 1 || b == 1); /* BUG */
	return 0;
}
