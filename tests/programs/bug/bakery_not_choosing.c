/* The bakery without its doorway: two may draw the same number unseen.
 * expect sc,rc11: violation race at BUG
 */
#include "../parallel.h"

static atomic_int number[2];
static int count;

static void enter(int me)
{
	int other = 1 - me, mine = load(&number[other], seq_cst) + 1, theirs;

	store(&number[me], mine, seq_cst);
	do
		theirs = load(&number[other], seq_cst);
	while (theirs && (theirs < mine || (theirs == mine && other < me)));
	count++; /* BUG */
	store(&number[me], 0, seq_cst);
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
