/* A process id is a number like any other, and the same for all threads.
 * expect rc11: inconclusive, says "getpid() at process_id.c:"
 * expect sc,rc11 --nondet 1..2: violation assertion at BUG
 */
#include "../parallel.h"
#include <unistd.h>

static atomic_int a, b;

static void first(void)
{
	a = getpid();
}

static void second(void)
{
	b = getpid();
}

int main(void)
{
	parallel(first, second);
	assert(a == b);
	assert(a != 2); /* BUG */
	return 0;
}
