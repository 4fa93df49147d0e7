/* What describes the machine is a part of the scope; of two processors a thread is on either.
 * expect rc11: verified, executions 2, says "2 processors", says "argc is 1", says "getenv() finds", outcomes on 0 | on 1
 */
#define _GNU_SOURCE
#include <assert.h>
#include <linchpin.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	assert(argc == 1 && argv[0] && !argv[1]);
	assert(sysconf(_SC_NPROCESSORS_ONLN) == 2);
	assert(!getenv("LINCHPIN_HAS_NO_SUCH_VARIABLE"));
	lp_outcome(sched_getcpu() ? "on 1" : "on 0");
	return 0;
}
