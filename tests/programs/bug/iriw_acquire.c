/* With acquire loads the readers may disagree, but not on a machine with tso.
 * expect sc,tso: verified, executions 15
 * expect rc11,ra: violation assertion at BUG
 */
#include "../parallel.h"

static atomic_int x, y;
static int a, b, c, d;

static void write_x(void)
{
	store(&x, 1, release);
}

static void write_y(void)
{
	store(&y, 1, release);
}

static void read_xy(void)
{
	a = load(&x, acquire);
	b = load(&y, acquire);
}

static void read_yx(void)
{
	c = load(&y, acquire);
	d = load(&x, acquire);
}

int main(void)
{
	parallel(write_x, write_y, read_xy, read_yx);
	assert(!(a == 1 && b == 0 && c == 1 && d == 0)); /* BUG */
	return 0;
}
