/* Dekker's algorithm on plain variables.
 * options: --races ignore -- -O0
 * expect sc: verified
 */
#include "../parallel.h"

static int wants[2], turn, inside;

static void enter(int me)
{
	wants[me] = 1;
	while (wants[1 - me]) {
		if (turn != me) {
			wants[me] = 0;
			while (turn != me)
				;
			wants[me] = 1;
		}
	}
	inside++;
	assert(inside == 1);
	inside--;
	turn = 1 - me;
	wants[me] = 0;
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
