/* What a thread has written before it came to an assumption that does not hold is seen by one who then
 * waits for a third: the execution was given up before that had its turn.
 *
 * expect sc,tso,ra,rc11: violation assertion at BUG
 * expect rc11 --no-spin: violation assertion at BUG
 * expect rc11 -- -DSPAWN: violation assertion at BUG
 */
#include "../programs/parallel.h"

void __VERIFIER_assume(int);

static atomic_int x, y, z;

static void wait_and_fail(void)
{
	if (load(&y, relaxed) != 1)
		return;
	while (!load(&z, relaxed))
		;
	assert(!"it is all over"); /* BUG */
}

#ifdef SPAWN
static void *begin(void *arg)
{
	wait_and_fail();
	return arg;
}
#endif

static void assume_too_late(void)
{
	if (load(&x, relaxed))
		return;
#ifdef SPAWN
	pthread_t child;
	y = 1;
	pthread_create(&child, NULL, begin, NULL);
#else
	store(&y, 1, relaxed);
#endif
	__VERIFIER_assume(0);
}

static void set_x(void)
{
	store(&x, 1, relaxed);
}

static void set_z(void)
{
	store(&z, 1, relaxed);
}

int main(void)
{
#ifdef SPAWN
	parallel(assume_too_late, set_x, set_z);
#else
	parallel(wait_and_fail, assume_too_late, set_x, set_z);
#endif
	return 0;
}
