/* Store buffering, sequentially consistent accesses: not both reads are stale.
 * expect sc,tso,rc11: verified, executions 3
 */
#include "../parallel.h"

static atomic_int x, y;
static int a, b;

static void left(void)
{
	store(&x, 1, seq_cst);
	a = load(&y, seq_cst);
}

static void right(void)
{
	store(&y, 1, seq_cst);
	b = load(&x, seq_cst);
}

int main(void)
{
	parallel(left, right);
	assert(a == 1 || b == 1);
	return 0;
}
