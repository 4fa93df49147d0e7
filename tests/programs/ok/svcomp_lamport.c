/* Lamport's fast mutual exclusion for two, on plain variables.
 * options: --races ignore -- -O0
 * expect sc: verified
 */
#include "../parallel.h"

static int x, y, busy[3], inside;

static void enter(int me)
{
	for (;;) {
		busy[me] = 1;
		x = me;
		if (y != 0) {
			busy[me] = 0;
			while (y != 0)
				;
			continue;
		}
		y = me;
		if (x == me)
			break;
		busy[me] = 0;
		while (busy[3 - me])
			;
		if (y == me)
			break;
		while (y != 0)
			;
	}
	inside++;
	assert(inside == 1);
	inside--;
	y = 0;
	busy[me] = 0;
}

static void first(void)
{
	enter(1);
}

static void second(void)
{
	enter(2);
}

int main(void)
{
	parallel(first, second);
	return 0;
}
