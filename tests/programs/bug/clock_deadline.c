/* What happens when time is up, or is not, depends on a clock.
 * expect rc11: inconclusive, says "time() at clock_deadline.c:"
 * expect rc11 --nondet 0..5: violation assertion at BUG
 * expect rc11 --nondet 0..4: verified
 * expect rc11 --nondet 0..0: verified
 */
#include <assert.h>
#include <time.h>

int main(void)
{
	const time_t start = time(NULL);
	const time_t end = time(NULL);

	assert(end - start < 5); /* BUG */
	return 0;
}
