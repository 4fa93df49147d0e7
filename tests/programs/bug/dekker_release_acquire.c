/* Dekker's algorithm with release and acquire: both may enter.
 * expect sc: verified
 * expect tso,rc11,ra: violation race at BUG
 */
#include "../parallel.h"

static atomic_int wants[2], turn;
static int count;

static void enter(int me)
{
	int other = 1 - me;

	store(&wants[me], 1, release);
	while (load(&wants[other], acquire)) {
		if (load(&turn, acquire) != me) {
			store(&wants[me], 0, release);
			while (load(&turn, acquire) != me)
				;
			store(&wants[me], 1, release);
		}
	}
	count++; /* BUG */
	store(&turn, other, release);
	store(&wants[me], 0, release);
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
	return 0;
}
