/* Numbers from the system.
 * expect rc11: inconclusive, says "getrandom() at random_bytes.c:13 is fixed"
 * expect rc11 --nondet 0..7: violation assertion at BUG
 * expect rc11 --nondet 0..6: verified
 */
#include <assert.h>
#include <sys/random.h>

int main(void)
{
	unsigned char bytes[2];

	assert(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
	assert(bytes[0] != 7); /* BUG */
	return 0;
}
