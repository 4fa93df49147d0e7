/* Four threads that wait for a test-and-test-and-set lock: no execution is visited twice because threads are parked.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 576
 * expect sc,tso,ra,rc11 --no-park: verified, executions 576
 */
#include "../parallel.h"

static atomic_int held;
static int count;

static void add(void)
{
	do
		while (load(&held, relaxed))
			;
	while (exchange(&held, 1, acquire));
	count++;
	store(&held, 0, release);
}

int main(void)
{
	parallel(add, add, add, add);
	assert(count == 4);
	return 0;
}
