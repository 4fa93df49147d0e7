#include <linchpin.h>
#include <stdatomic.h>

static atomic_long item[16]; /* 0: nothing there */
static atomic_int head, tail;

LP_SPEC("queue")
LP_METHOD(enqueue, v)
{
	item[tail++] = v; /* atomic: no two calls get the same place */
	return LP_VOID;
}
LP_METHOD(dequeue)
{
	for (int h = head; item[h] != 0; ) {
		long v = item[h];
		if (atomic_compare_exchange_strong(&head, &h, h + 1))
			return v;
	}
	return LP_EMPTY;
}
