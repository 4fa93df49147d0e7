/* Neighbouring bit-fields are one memory location.
 * expect rc11: violation race at BUG
 */
#include "../parallel.h"

struct {
	unsigned left : 3, right : 3;
} bits;

static void left(void)
{
	bits.left = 1; /* BUG */
}

static void right(void)
{
	bits.right = 1; /* BUG */
}

int main(void)
{
	parallel(left, right);
	return 0;
}
