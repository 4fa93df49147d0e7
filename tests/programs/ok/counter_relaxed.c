/* Relaxed increments are not lost.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 6
 */
#include "../parallel.h"

static atomic_int count;

static void add(void)
{
	fetch_add(&count, 1, relaxed);
}

int main(void)
{
	parallel(add, add, add);
	assert(load(&count, relaxed) == 3);
	return 0;
}
