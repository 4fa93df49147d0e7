/* A clock does not go back from what a thread knows.
 * options: --nondet 0..2
 * expect sc,tso,ra,rc11: verified
 */
#include "../parallel.h"
#include <time.h>

static atomic_long told;

static long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

static void teller(void)
{
	now();
	store(&told, now(), release);
}

static void listener(void)
{
	const long before = load(&told, acquire);

	assert(now() >= before);
}

int main(void)
{
	const long start = now();

	parallel(teller, listener);
	assert(now() >= start);
	return 0;
}
