/* Store buffering on the two halves of a word is store buffering: both may read 0, but under sc.
 * options: --no-symmetry
 * expect sc: verified, outcomes 0 1 | 1 0 | 1 1
 * expect tso,ra,rc11: verified, outcomes 0 0 | 0 1 | 1 0 | 1 1
 */
#include "../parallel.h"

#include <linchpin.h>

static union {
	_Atomic unsigned whole;
	_Atomic unsigned short half[2];
} u;
static int a, b;

static void left(void)
{
	store(&u.half[0], 1, release);
	a = load(&u.half[1], acquire);
}

static void right(void)
{
	store(&u.half[1], 1, release);
	b = load(&u.half[0], acquire);
}

int main(void)
{
	parallel(left, right);
	assert(load(&u.whole, relaxed) == 0x10001);
	lp_outcome(a ? b ? "1 1" : "1 0" : b ? "0 1" : "0 0");
	return 0;
}
