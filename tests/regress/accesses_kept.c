/* Plain accesses that an optimiser would remove, or make one of two of, are accesses all the same.
 *
 * expect sc,rc11 -- -DUNUSED: violation race
 * expect sc,rc11 -- -DOVERWRITTEN: violation race
 * expect sc --races ignore -- -DOVERWRITTEN: violation assertion
 * expect sc --races ignore -- -DTWICE: violation assertion
 * expect sc --races ignore -- -DBRANCH: violation assertion
 * expect sc,tso --races ignore -- -DWRITTEN: violation assertion
 */
#include "../programs/parallel.h"

static int x, y;

static void first(void)
{
#if defined(OVERWRITTEN)
	x = 1;
	x = 2;
#elif defined(UNUSED)
	int read = x;
	(void)read;
#else
	x = 1;
#endif
}

static void second(void)
{
#if defined(UNUSED)
	x = 1;
#elif defined(OVERWRITTEN)
	assert(x != 1);
#elif defined(TWICE)
	int before = x, after = x;
	assert(before == after);
#elif defined(BRANCH)
	int before = x;
	if (y == 3)
		before = x + 7;
	assert(before == x);
#elif defined(WRITTEN)
	x = 2;
	assert(x == 2);
#endif
}

int main(void)
{
	parallel(first, second);
	return 0;
}
