/* Dekker's algorithm, seq_cst throughout.
 * expect sc,tso,rc11: verified
 */
#include "../parallel.h"

static atomic_int wants[2], turn;
static int count;

static void enter(int me)
{
	int other = 1 - me;

	store(&wants[me], 1, seq_cst);
	while (load(&wants[other], seq_cst)) {
		if (load(&turn, seq_cst) != me) {
			store(&wants[me], 0, seq_cst);
			while (load(&turn, seq_cst) != me)
				;
			store(&wants[me], 1, seq_cst);
		}
	}
	count++;
	store(&turn, other, seq_cst);
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
