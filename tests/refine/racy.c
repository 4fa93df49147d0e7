/* racy.c -- a queue that is wrong itself. */
#include <linchpin.h>

static long item[32];
static int front, back;

LP_METHOD(enqueue, v)
{
	item[back++] = v;
	return LP_VOID;
}

LP_METHOD(dequeue) { return front < back ? item[front++] : LP_EMPTY; }
