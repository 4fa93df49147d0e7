/* Operations in inline assembly are operations.
 * processors: x86-64
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 2
 */
#include "../parallel.h"

static int count;

static void add(void)
{
	__asm__ volatile("lock; incl %0" : "+m"(count));
}

int main(void)
{
	parallel(add, add);
	assert(count == 2);
	return 0;
}
