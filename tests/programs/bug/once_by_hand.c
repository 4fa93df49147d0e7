/* A home-made once that sets its flag too early.
 * expect rc11,sc: violation race at BUG
 */
#include "../parallel.h"

static atomic_int done;
static int value;

static void use(void)
{
	if (!exchange(&done, 1, acq_rel))
		value = 1; /* BUG */
	assert(value == 1); /* BUG */
}

int main(void)
{
	parallel(use, use);
	return 0;
}
