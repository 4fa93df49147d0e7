/* A number that goes to usleep(), and elsewhere, too.
 * expect rc11: inconclusive, says "random() at rand_used_later.c:13"
 * expect rc11 -- -O0: inconclusive, says "random() at rand_used_later.c:13"
 * expect rc11 --nondet 0..3: violation assertion at BUG
 */
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
	const unsigned number =
		(unsigned)random();

	usleep(number);
	assert(number != 3); /* BUG */
	return 0;
}
