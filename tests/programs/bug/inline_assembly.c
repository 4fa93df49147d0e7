/* Accesses in inline assembly are invisible: never verified without a word about it.
 * expect rc11: inconclusive, says "assembl"
 */
#include "../parallel.h"

static int count;

static void add(void)
{
	__asm__ volatile("lock; incl %0" : "+m"(count));
}

int main(void)
{
	parallel(add, add);
	return 0;
}
