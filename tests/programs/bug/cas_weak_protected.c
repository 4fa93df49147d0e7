/* A weak compare-exchange whose attempts announce themselves to others, as hazard pointers do.  Each attempt
 * writes, so that none is left out, and the attempts may fail spuriously without end.
 * expect rc11: inconclusive, says "see --no-weak-fail"
 * expect rc11 --no-weak-fail: verified
 */
#include "../parallel.h"

static atomic_int x, announced;

static void change(void)
{
	int old = load(&x, relaxed);

	do {
		store(&announced, 1, release);
		store(&announced, 0, release);
	} while (!atomic_compare_exchange_weak(&x, &old, old + 1));
}

static void look(void)
{
	const int seen = load(&announced, acquire);

	assert(seen == 0 || seen == 1);
}

int main(void)
{
	parallel(change, look);
	assert(x == 1);
	return 0;
}
