/* Thread-local variables, initialised and not.
 * expect sc,tso,rc11: verified, executions 1
 */
#include "../parallel.h"

static _Thread_local int zero;
static __thread int ten = 10;

static void add(void)
{
	zero++;
	ten++;
	assert(zero == 1 && ten == 11);
}

int main(void)
{
	zero = 5;
	parallel(add, add);
	assert(zero == 5 && ten == 10);
	return 0;
}
