/* Yielding and sleeping take no time and order nothing.
 * expect sc,rc11: verified, executions 2
 */
#include <poll.h>
#include <sched.h>
#include <sys/select.h>
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
	struct timeval wait = { 1000, 0 };

	sched_yield();
	nanosleep(&long_time, NULL);
	sleep(100);
	assert(poll(NULL, 0, 10) == 0);
	assert(select(0, NULL, NULL, NULL, &wait) == 0 && wait.tv_sec == 0);
	(void)load(&x, relaxed);
}

int main(void)
{
	parallel(writer, reader);
	return 0;
}
