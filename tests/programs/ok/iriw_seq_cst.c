/* Independent readers agree on the order of independent seq_cst writes.
 * expect sc,tso,rc11: verified, executions 15
 */
#include "../parallel.h"

static atomic_int x, y;
static int a, b, c, d;

static void write_x(void)
{
	store(&x, 1, seq_cst);
}

static void write_y(void)
{
	store(&y, 1, seq_cst);
}

static void read_xy(void)
{
	a = load(&x, seq_cst);
	b = load(&y, seq_cst);
}

static void read_yx(void)
{
	c = load(&y, seq_cst);
	d = load(&x, seq_cst);
}

int main(void)
{
	parallel(write_x, write_y, read_xy, read_yx);
	assert(!(a == 1 && b == 0 && c == 1 && d == 0));
	return 0;
}
