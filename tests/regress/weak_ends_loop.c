/* A loop that a compare-exchange ends, unless it fails for no reason, does not spin forever: not
 * either if the first round is told from the others, by what the address-taken variable
 * held before, at the load but not at the compare-exchange.
 * expect sc,tso,ra,rc11: verified
 */
#include <stdatomic.h>

static atomic_int x;

static __attribute__((noinline)) void put(int *at, int value)
{
	*at = value;
}

int main(void)
{
	int expected;

	put(&expected, 5);
	do
		expected = atomic_load(&x);
	while (!atomic_compare_exchange_weak(&x, &expected, expected + 1));
	return 0;
}
