/* A compare-and-swap that fails gives the next guess: as if the load had read that.  One execution for each order of the
 * threads; with what leads to the same place, twice as many for each pair of them.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 6
 * expect sc,tso,ra,rc11 --no-rereads: verified, executions 48
 */
#include "../parallel.h"

static atomic_int next;
static int taken[3];

static void take(void)
{
	int at = load(&next, relaxed);

	while (!cas(&next, &at, at + 1, relaxed))
		;
	taken[at]++;
}

int main(void)
{
	parallel(take, take, take);
	assert(taken[0] == 1 && taken[1] == 1 && taken[2] == 1);
	return 0;
}
