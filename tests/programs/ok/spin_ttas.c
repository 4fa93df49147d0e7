/* Test-and-test-and-set lock.
 * expect sc,tso,ra,rc11: verified
 */
#include "../parallel.h"

static atomic_int held;
static int count;

static void add(void)
{
	do {
		while (load(&held, relaxed))
			;
	} while (exchange(&held, 1, acquire));
	count++;
	store(&held, 0, release);
}

int main(void)
{
	parallel(add, add);
	assert(count == 2);
	return 0;
}
