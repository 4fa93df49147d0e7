/* Weak compare-and-swap in a loop: spurious failures do no harm.
 * expect sc,rc11: verified
 * expect rc11 --no-weak-fail: verified
 */
#include "../parallel.h"

static atomic_int count;

static void add(void)
{
	int old = load(&count, relaxed);

	while (!atomic_compare_exchange_weak_explicit(&count, &old, old + 1, relaxed, relaxed))
		;
}

int main(void)
{
	parallel(add, add);
	assert(load(&count, relaxed) == 2);
	return 0;
}
