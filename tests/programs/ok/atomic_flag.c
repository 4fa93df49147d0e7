/* A lock made of atomic_flag.
 * expect sc,tso,rc11: verified
 */
#include "../parallel.h"

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int count;

static void add(void)
{
	while (atomic_flag_test_and_set_explicit(&busy, acquire))
		;
	count++;
	atomic_flag_clear_explicit(&busy, release);
}

int main(void)
{
	parallel(add, add);
	assert(count == 2);
	return 0;
}
