/* Also where the processor does not trap.
 * expect sc,rc11: violation crash at BUG, says "division by zero"
 */
#include "../parallel.h"

static atomic_int divisor = 1;
static volatile int result;

static void clear(void)
{
	store(&divisor, 0, relaxed);
}

static void divide(void)
{
	int d = load(&divisor, relaxed);

	result = 10 / d; /* BUG */
}

int main(void)
{
	parallel(clear, divide);
	return 0;
}
