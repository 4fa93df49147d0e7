/* Test-and-set lock whose release is relaxed: the section is not ordered.
 * expect sc: verified
 * expect rc11: violation race at BUG
 */
#include "../parallel.h"

static atomic_int held;
static int count;

static void add(void)
{
	while (exchange(&held, 1, acquire))
		;
	count++; /* BUG */
	store(&held, 0, relaxed);
}

int main(void)
{
	parallel(add, add);
	return 0;
}
