/* A thread waits for a flag in memory that another one has allocated.  If it has not synchronised before, its first look at the flag races with the
 * initialization; a later one, which finds the flag set, does not.  That it has to wait is known from executions in which it has synchronised.
 * expect sc,tso,ra: verified
 * expect rc11: violation race at BUG
 */
#include "../parallel.h"

#include <stdlib.h>

static atomic_int told;
static _Atomic(atomic_int *) place;

static void prepares(void)
{
	atomic_int *flag = malloc(sizeof *flag);

	atomic_init(flag, 0); /* BUG */
	store(&told, 1, release);
	store(&place, flag, relaxed);
	store(flag, 1, release);
}

static void waits(void)
{
	atomic_int *flag = load(&place, relaxed);

	load(&told, acquire);
	if (flag)
		while (!load(flag, acquire)) /* BUG */
			;
}

int main(void)
{
	parallel(waits, prepares);
	return 0;
}
