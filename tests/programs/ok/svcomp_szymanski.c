/* Szymanski's algorithm for two, on plain variables.
 * options: --races ignore -- -O0
 * expect sc: verified
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
	if (me == 0) {
		int seen;

		do
			seen = flag[1];
		while (seen == 2 || seen == 3);
	}
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
