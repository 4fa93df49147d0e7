/* The iteration that reads 1 is redundant, since its exchange changes nothing; but that is a write,
 * with which a plain read races.
 *
 * expect rc11: violation race at BUG
 * expect rc11 -j 2: violation race at BUG
 * expect sc,tso,ra: verified
 */
#include <string.h>

#include "../programs/parallel.h"

static atomic_int x, done, slot;

static void look(void)
{
	for (;;) {
		const int s = load(&x, relaxed);
		if (s == 1)
			atomic_exchange_explicit(&slot, 0, relaxed); /* BUG */
		else if (s == 2)
			break;
	}
	store(&done, 1, relaxed);
}

static void read_plainly(void)
{
	int seen;

	store(&x, 1, relaxed);
	store(&x, 2, relaxed);
	while (!load(&done, relaxed))
		;
	memcpy(&seen, &slot, sizeof seen); /* BUG */
	if (seen)
		store(&x, 3, relaxed);
}

int main(void)
{
	parallel(look, read_plainly);
	return 0;
}
