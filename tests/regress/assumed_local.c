/* A thread that goes no further because an assumption does not hold has not returned: its local variables are still there for
 * others that know of them.
 *
 * expect sc,tso,ra,rc11: verified, executions 1
 * expect rc11 -j 2: verified, executions 1
 * expect rc11 -- -DRETURNED: violation use after free
 */
#include "../programs/parallel.h"

void __VERIFIER_assume(int);

static _Atomic(atomic_int *) known;

static void owner(void)
{
	atomic_int local = 0;

	store(&known, &local, release);
#ifndef RETURNED
	__VERIFIER_assume(load(&local, acquire));
#endif
}

static void other(void)
{
	atomic_int *p = load(&known, acquire);

	if (p)
		store(p, 1, release);
}

int main(void)
{
	parallel(owner, other);
	return 0;
}
