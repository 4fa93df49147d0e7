/* Message passing with volatile accesses and compiler barriers: x86-64 keeps the order, C11 does not.
 * expect sc,tso: verified
 * expect rc11: violation race at BUG
 */
#include "../parallel.h"

#define barrier() __asm__ volatile("" ::: "memory")

static int data, seen = 42;
static volatile int flag;

static void writer(void)
{
	data = 42; /* BUG */
	barrier();
	flag = 1;
}

static void reader(void)
{
	if (flag) {
		barrier();
		seen = data; /* BUG */
	}
}

int main(void)
{
	parallel(writer, reader);
	assert(seen == 42);
	return 0;
}
