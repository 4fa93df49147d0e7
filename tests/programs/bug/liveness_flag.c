/* Waiting for a flag that is never set.
 * expect sc,tso,ra,rc11: violation liveness
 */
#include "../parallel.h"

static atomic_int flag;

static void waiter(void)
{
	while (!load(&flag, acquire))
		;
}

static void other(void)
{
	store(&flag, 0, release);
}

int main(void)
{
	parallel(waiter, other);
	return 0;
}
