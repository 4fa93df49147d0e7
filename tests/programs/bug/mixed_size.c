/* Half of an atomic word, accessed as an atomic of its own: not modelled, and said so.
 * expect rc11,sc: inconclusive, says "mixed"
 */
#include "../parallel.h"

static union {
	atomic_int whole;
	_Atomic short half[2];
} u;

static void left(void)
{
	store(&u.whole, 0x10001, relaxed);
}

static void right(void)
{
	store(&u.half[0], 2, relaxed);
}

int main(void)
{
	parallel(left, right);
	return 0;
}
