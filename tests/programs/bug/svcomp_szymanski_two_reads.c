/* Szymanski's algorithm whose last wait reads the flag twice: 3, then 2, is neither, the
 * first leaves, and the second waits forever in the waiting room.
 * options: --races ignore -- -O0
 * expect sc: violation liveness
 */
#include "../parallel.h"

static int flag[2], inside;

static void enter(int me)
{
	int other = 1 - me;

	flag[me] = 1;
	while (flag[other] >= 3)
		;
	flag[me] = 3;
	if (flag[other] == 1) {
		flag[me] = 2;
		while (flag[other] != 4)
			;
	}
	flag[me] = 4;
	if (me == 1)
		while (flag[0] >= 2)
			;
	inside++;
	assert(inside == 1);
	inside--;
	if (me == 0)
		while (flag[1] == 2 || flag[1] == 3)
			;
	flag[me] = 0;
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
