/* A polite waiting loop.
 * expect sc,rc11: verified, executions 1
 */
#include <sched.h>

#include "../parallel.h"

static atomic_int x;

static void writer(void)
{
	store(&x, 1, release);
}

static void reader(void)
{
	while (!load(&x, acquire))
		sched_yield();
}

int main(void)
{
	parallel(writer, reader);
	return 0;
}
