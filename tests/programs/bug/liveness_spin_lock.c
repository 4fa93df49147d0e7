/* A spin lock taken twice.
 * expect sc,rc11: violation liveness
 */
#include "../parallel.h"

static atomic_flag busy = ATOMIC_FLAG_INIT;

static void take_twice(void)
{
	while (atomic_flag_test_and_set(&busy))
		;
	while (atomic_flag_test_and_set(&busy))
		;
}

int main(void)
{
	parallel(take_twice);
	return 0;
}
