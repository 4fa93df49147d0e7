/* Of two compare-and-swaps from the same value one succeeds.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 2
 */
#include "../parallel.h"

static atomic_int owner;
static atomic_int winners;

static void claim(void)
{
	int nobody = 0;

	if (cas(&owner, &nobody, 1, acq_rel))
		fetch_add(&winners, 1, relaxed);
	else
		assert(nobody == 1);
}

int main(void)
{
	parallel(claim, claim);
	assert(load(&winners, relaxed) == 1);
	return 0;
}
