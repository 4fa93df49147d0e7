/* Lamport's bakery for two, seq_cst throughout.
 * expect sc,tso,rc11: verified
 */
#include "../parallel.h"

static atomic_int choosing[2], number[2];
static int count;

static void enter(int me)
{
	int other = 1 - me, theirs;

	store(&choosing[me], 1, seq_cst);
	store(&number[me], load(&number[other], seq_cst) + 1, seq_cst);
	store(&choosing[me], 0, seq_cst);
	while (load(&choosing[other], seq_cst))
		;
	do
		theirs = load(&number[other], seq_cst);
	while (theirs && (theirs < number[me] || (theirs == number[me] && other < me)));
	count++;
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
	assert(count == 2);
	return 0;
}
