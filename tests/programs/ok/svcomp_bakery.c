/* The bakery for two, on plain variables.
 * options: --races ignore -- -O0
 * expect sc: verified
 */
#include "../parallel.h"

static int choosing[2], number[2], inside;

static void enter(int me)
{
	int other = 1 - me;

	choosing[me] = 1;
	number[me] = number[other] + 1;
	choosing[me] = 0;
	while (choosing[other])
		;
	while (number[other] && (number[other] < number[me] ||
				 (number[other] == number[me] && other < me)))
		;
	inside++;
	assert(inside == 1);
	inside--;
	number[me] = 0;
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
