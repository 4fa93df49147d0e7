/* Fails in one of many interleavings of three threads.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 */
#include "../parallel.h"

static atomic_int x;

static void a(void)
{
	fetch_add(&x, 1, relaxed);
}

static void b(void)
{
	int v = load(&x, relaxed);

	store(&x, v * 2, relaxed);
}

static void c(void)
{
	int v = load(&x, relaxed);

	store(&x, v + 3, relaxed);
}

int main(void)
{
	parallel(a, b, c);
	assert(load(&x, relaxed) != 8); /* BUG */
	return 0;
}
