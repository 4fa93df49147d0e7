/* endless.c -- a queue with more executions than can be explored. */
#include <linchpin.h>
#include <stdatomic.h>

static atomic_int noise[2];

static void make_noise(void)
{
	for (int i = 0; i < 40; i++)
		atomic_fetch_add_explicit(&noise[i & 1], 1, memory_order_relaxed);
}

LP_SPEC("queue")

LP_METHOD(enqueue, v)
{
	(void)v;
	make_noise();
	return LP_VOID;
}

LP_METHOD(dequeue)
{
	make_noise();
	return LP_EMPTY;
}
