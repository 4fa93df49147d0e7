/* upgrade.c -- one owner drops an object while N threads try to become owners of it.
 *
 * A thread that finds no owner leaves the object alone; the last owner clears the value. */
#include "../bench.h"

#ifndef N
#define N 2
#endif

static atomic_int owners = 1;
static int value = 1;

static void drop(void)
{
	if (fetch_sub(&owners, 1, acq_rel) == 1)
		value = 0;
}

static void *owner(void *unused)
{
	(void)unused;
	drop();
	return NULL;
}

static void *upgrade(void *unused)
{
	int seen = load(&owners, relaxed);

	(void)unused;
	do
		if (seen == 0)
			return NULL;
	while (!cas(&owners, &seen, seen + 1, acquire));
	assert(value == 1);
	drop();
	return NULL;
}

int main(void)
{
	run_both(1, owner, N, upgrade);
	assert(value == 0);
	return 0;
}
