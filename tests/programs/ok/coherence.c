/* Reads of one location never go back, relaxed or not.
 * expect sc,tso,ra,rc11: verified, executions 6
 */
#include "../parallel.h"

static atomic_int x;

static void writer(void)
{
	store(&x, 1, relaxed);
	store(&x, 2, relaxed);
}

static void reader(void)
{
	int before = load(&x, relaxed);
	int after = load(&x, relaxed);

	assert(before <= after);
}

int main(void)
{
	parallel(writer, reader);
	return 0;
}
