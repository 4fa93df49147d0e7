/* A weak compare-and-swap may fail although no other thread interferes.
 * expect sc,rc11: violation assertion at BUG
 * expect sc,rc11 --no-weak-fail: verified, executions 1
 */
#include "../parallel.h"

static atomic_int x;

int main(void)
{
	int zero = 0;

	assert(atomic_compare_exchange_weak(&x, &zero, 1)); /* BUG */
	return 0;
}
