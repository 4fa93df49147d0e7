/* reach_error() is an assertion that always fails.
 * expect sc,rc11: violation assertion at BUG
 */
#include "../parallel.h"

extern void reach_error(void);

static atomic_int x;

static void writer(void)
{
	store(&x, 1, relaxed);
}

static void reader(void)
{
	if (load(&x, relaxed))
		reach_error(); /* BUG */
}

int main(void)
{
	parallel(writer, reader);
	return 0;
}
