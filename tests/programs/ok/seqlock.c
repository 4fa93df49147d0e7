/* A sequence lock with atomic data: a reader that saw the same even number twice
 * has a consistent pair.
 * expect sc,tso,rc11: verified
 */
#include "../parallel.h"

static atomic_uint sequence;
static atomic_int a, b;

static void writer(void)
{
	unsigned s = load(&sequence, relaxed);

	store(&sequence, s + 1, relaxed);
	fence(release);
	store(&a, 1, relaxed);
	store(&b, 1, relaxed);
	store(&sequence, s + 2, release);
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
	assert(x == y);
}

int main(void)
{
	parallel(writer, reader);
	return 0;
}
