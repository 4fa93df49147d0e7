/* Two increments of a plain variable: one may be lost; with races as errors, a race.
 * expect sc,tso --races ignore -- -O0: violation assertion at BUG
 * expect rc11: violation race at RACE
 */
#include "../parallel.h"

static int count;

static void add(void)
{
	count++; /* RACE */
}

int main(void)
{
	parallel(add, add);
	assert(count == 2); /* BUG */
	return 0;
}
