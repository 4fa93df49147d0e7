/* deque.h -- an owner pushes two values and takes two; N thieves steal once each.
 *
 * Nothing is had twice.  The program has push(), take() and steal(), of which the last two
 * return a value, or 0 for nothing. */
#include "../bench.h"

#ifndef N
#define N 2
#endif
#define CELLS 4

static void push(int value);
static int take(void);
static int steal(void);

static int had[3]; /* a value that two threads have is a data race, too */

static void have(int value)
{
	if (value != 0) {
		assert(had[value] == 0);
		had[value] = 1;
	}
}

static void *owner(void *unused)
{
	(void)unused;
	push(1);
	push(2);
	have(take());
	have(take());
	return NULL;
}

static void *thief(void *unused)
{
	(void)unused;
	have(steal());
	return NULL;
}

int main(void)
{
	run_both(1, owner, N, thief);
	return 0;
}
