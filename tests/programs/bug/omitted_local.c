/* A loop iteration that is left out as redundant writes to a local variable the value that it has, while another thread
 * may read it.
 * expect rc11: violation race at BUG
 */
#include "../parallel.h"

static _Atomic(int *) shared;
static atomic_int state, done, over;

static void owner(void)
{
	int local = 0;

	store(&shared, &local, release);
	for (int seen = 0; seen != 2;) {
		seen = load(&state, relaxed);
		if (seen == 1)
			local = 0; /* BUG */
	}
	store(&done, 1, relaxed);
	while (!load(&over, acquire))
		;
}

static void reader(void)
{
	const int *p = load(&shared, acquire);

	store(&state, 1, relaxed);
	store(&state, 2, relaxed);
	while (!load(&done, relaxed))
		;
	if (p)
		assert(*p == 0); /* BUG */
	store(&over, 1, release);
}

int main(void)
{
	parallel(owner, reader);
	return 0;
}
