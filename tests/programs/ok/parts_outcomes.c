/* A word and its half, both atomic.  The store to the half comes before or after the one to the word,
 * and keeps the other half.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 2, outcomes 1 | 2
 */
#include "../parallel.h"

#include <linchpin.h>

static union {
	_Atomic unsigned whole;
	_Atomic unsigned short half[2];
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
	lp_outcome(load(&u.half[0], relaxed) == 1 ? "1" : "2");
	assert(load(&u.half[1], relaxed) == 1);
	return 0;
}
