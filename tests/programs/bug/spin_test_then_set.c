/* A lock that is tested and set in two steps does not exclude other threads.
 * expect sc,rc11: violation race at BUG
 */
#include "../parallel.h"

static atomic_int held;
static int count;

static void add(void)
{
	while (load(&held, seq_cst))
		;
	store(&held, 1, seq_cst);
	count++; /* BUG */
	store(&held, 0, seq_cst);
}

int main(void)
{
	parallel(add, add);
	return 0;
}
