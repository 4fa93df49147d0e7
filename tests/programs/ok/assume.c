/* Executions in which an assumption does not hold are not executions.
 * expect sc,tso,ra,rc11: verified, executions 1
 */
#include "../parallel.h"

void __VERIFIER_assume(int);

static atomic_int x;

static void writer(void)
{
	store(&x, 1, relaxed);
}

static void reader(void)
{
	__VERIFIER_assume(load(&x, relaxed) == 1);
}

int main(void)
{
	parallel(writer, reader);
	assert(load(&x, relaxed) == 1);
	return 0;
}
