/* The flag is set, but taken back: who looks too late waits forever.
 * expect sc,rc11: violation liveness
 */
#include "../parallel.h"

static atomic_int flag;

static void waiter(void)
{
	while (!load(&flag, acquire))
		;
}

static void pulse(void)
{
	store(&flag, 1, release);
	store(&flag, 0, release);
}

int main(void)
{
	parallel(waiter, pulse);
	return 0;
}
