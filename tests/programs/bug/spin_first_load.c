/* A load before a waiting loop, and one in it, that are not the same: what goes wrong only after both is found.
 * expect rc11 -- -DORDER: violation race
 * expect sc,tso,ra,rc11 -- -DWRITES: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DPATH: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DCOUNT: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DRESULT: violation assertion at BUG
 * expect sc,tso,ra,rc11 -- -DAGAIN: violation assertion at BUG
 */
#include "../parallel.h"

static atomic_int flag;
static int data;

static void waits(void)
{
#ifdef ORDER /* only the first acquires */
	int seen = load(&flag, acquire);

	while (!seen)
		seen = load(&flag, relaxed);
	assert(data == 1);
#elif defined WRITES /* something is written after the second */
	int seen = load(&flag, relaxed), again = 0, *where = &again;

	while (!seen) {
		seen = load(&flag, relaxed);
		*(volatile int *)where = 1;
	}
	assert(!again); /* BUG */
#elif defined PATH /* it goes on elsewhere */
	int seen = load(&flag, relaxed);

	if (!seen) {
		seen = load(&flag, relaxed);
		assert(seen); /* BUG */
	}
#elif defined COUNT /* another variable differs */
	int first = 1, seen = load(&flag, relaxed);

	while (!seen) {
		first = 0;
		seen = load(&flag, relaxed);
	}
	assert(first); /* BUG */
#elif defined RESULT /* the first answer is looked at again */
	const int first = load(&flag, relaxed);
	int seen = first;

	while (!seen)
		seen = load(&flag, relaxed);
	assert(first); /* BUG */
#else /* so is it where the loop goes round */
	const int first = load(&flag, relaxed);
	int seen = first;

	for (int i = 0; i < 2; i++) {
		while (!seen)
			seen = load(&flag, relaxed);
		seen = first;
		assert(i == 0 || seen); /* BUG */
	}
#endif
}

static void sets(void)
{
	data = 1;
	store(&flag, 1, release);
}

int main(void)
{
	parallel(waits, sets);
	return 0;
}
