/* A sequence lock whose writer does not order its first store: torn reads.
 * expect sc,tso: verified
 * expect rc11: violation assertion at BUG
 */
#include "../parallel.h"

static atomic_uint sequence;
static atomic_int a, b;

static void writer(void)
{
	store(&sequence, 1, relaxed);
	store(&a, 1, relaxed);
	store(&b, 1, relaxed);
	store(&sequence, 2, release);
}

static void reader(void)
{
	unsigned before, after;
	int x, y;

	do {
		before = load(&sequence, acquire);
		x = load(&a, relaxed);
		y = load(&b, relaxed);
		fence(acquire);
		after = load(&sequence, relaxed);
	} while (before != after || (before & 1));
	assert(x == y); /* BUG */
}

int main(void)
{
	parallel(writer, reader);
	return 0;
}
