/* A thread that has failed to swap, and knows it, is not where it would be had it loaded what it found.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include "../parallel.h"

static atomic_int next;

static void take(void)
{
	int at = load(&next, relaxed), tries = 1;

	while (!cas(&next, &at, at + 1, relaxed))
		tries++;
	assert(tries == 1); /* BUG */
}

int main(void)
{
	parallel(take, take);
	return 0;
}
