/* A loop iteration that is left out as redundant reads a local variable of another thread, whose function has returned by
 * the time that iteration could be ordered: nothing else shows the error.
 * expect rc11: violation use after free at BUG
 */
#include "../parallel.h"

static _Atomic(int *) shared;
static atomic_int state, done;

static void owner(void)
{
	int local = 1;

	store(&shared, &local, release);
	store(&state, 1, relaxed);
	store(&state, 2, relaxed);
	while (!load(&done, relaxed))
		;
} /* BUG */

static void reader(void)
{
	const int *p = load(&shared, acquire);

	for (int seen = 0; p && seen != 2;) {
		seen = load(&state, relaxed);
		if (seen == 1)
			assert(*p == 1);
	}
	store(&done, 1, relaxed);
}

int main(void)
{
	parallel(owner, reader);
	return 0;
}
