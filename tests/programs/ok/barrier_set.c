/* Four threads meet twice: the order in which they arrive makes no difference.
 * options: --no-symmetry
 * expect sc,tso,ra,rc11: verified, executions 1
 * expect sc,tso,ra,rc11 --no-helping: verified, executions 576
 */
#define _GNU_SOURCE
#include "../parallel.h"

static pthread_barrier_t barrier;
static int data[4];

static void meet(int me)
{
	data[me] = me;
	pthread_barrier_wait(&barrier);
	assert(data[0] + data[1] + data[2] + data[3] == 6);
	pthread_barrier_wait(&barrier);
	data[me] = 0;
}

static void a(void) { meet(0); }
static void b(void) { meet(1); }
static void c(void) { meet(2); }
static void d(void) { meet(3); }

int main(void)
{
	pthread_barrier_init(&barrier, NULL, 4);
	parallel(a, b, c, d);
	assert(data[0] + data[1] + data[2] + data[3] == 0);
	return 0;
}
