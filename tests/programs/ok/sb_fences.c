/* Store buffering, relaxed accesses with a seq_cst fence between them.
 * expect sc,tso,ra,rc11: verified, executions 3
 */
#include "../parallel.h"

static atomic_int x, y;
static int a, b;

static void left(void)
{
	store(&x, 1, relaxed);
	fence(seq_cst);
	a = load(&y, relaxed);
}

static void right(void)
{
	store(&y, 1, relaxed);
	fence(seq_cst);
	b = load(&x, relaxed);
}

int main(void)
{
	parallel(left, right);
	assert(a == 1 || b == 1);
	return 0;
}
