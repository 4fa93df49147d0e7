/* Peterson's algorithm, seq_cst throughout.
 * expect sc,tso,rc11: verified
 */
#include "../parallel.h"

static atomic_int wants[2], last;
static int count;

static void enter(int me)
{
	store(&wants[me], 1, seq_cst);
	store(&last, me, seq_cst);
	while (load(&wants[1 - me], seq_cst) && load(&last, seq_cst) == me)
		;
	count++;
	store(&wants[me], 0, seq_cst);
}

static void first(void)
{
	enter(0);
}

static void second(void)
{
	enter(1);
}

int main(void)
{
	parallel(first, second);
	assert(count == 2);
	return 0;
}
