#include <linchpin.h>
#include <stdatomic.h>

static atomic_long item[16];
static atomic_int head, tail;

LP_SPEC("queue")
LP_METHOD(enqueue, v)
{
	int t = tail;
	item[t] = v;
	tail = t + 1;
	return LP_VOID;
}
LP_METHOD(dequeue) { return head < tail ? item[head++] : LP_EMPTY; }
