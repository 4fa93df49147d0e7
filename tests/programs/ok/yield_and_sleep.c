/* Yielding and sleeping take no time and order nothing.
 * expect sc,rc11: verified, executions 2
 */
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "../parallel.h"

static atomic_int x;

static void writer(void)
{
	usleep(1000000);
	store(&x, 1, relaxed);
}

static void reader(void)
{
	struct timespec long_time = { 1000, 0 };

	sched_yield();
	nanosleep(&long_time, NULL);
	sleep(100);
	(void)load(&x, relaxed);
}

int main(void)
{
	parallel(writer, reader);
	return 0;
}
