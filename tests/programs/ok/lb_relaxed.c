/* Load buffering: rc11 has no cycles of program order and reads-from.
 * expect sc,tso,ra,rc11: verified, executions 3
 */
#include "../parallel.h"

static atomic_int x, y;
static int a, b;

static void left(void)
{
	a = load(&x, relaxed);
	store(&y, 1, relaxed);
}

static void right(void)
{
	b = load(&y, relaxed);
	store(&x, 1, relaxed);
}

int main(void)
{
	parallel(left, right);
	assert(!(a == 1 && b == 1));
	return 0;
}
