/* Between a load and a compare-exchange that succeeds with a later write of the same value the data is read, and it is written before
 * that later write.
 * expect sc,tso,ra,rc11: violation race at BUG
 */
#include "../parallel.h"

static atomic_int turn;
static int data;

static void swaps(void)
{
	int seen = load(&turn, acquire);

	if (seen == 0)
		assert(data >= 0); /* BUG */
	atomic_compare_exchange_strong(&turn, &seen, 5);
}

static void goes_and_comes_back(void)
{
	store(&turn, 1, relaxed);
	data = 1; /* BUG */
	store(&turn, 0, release);
}

int main(void)
{
	parallel(swaps, goes_and_comes_back);
	return 0;
}
