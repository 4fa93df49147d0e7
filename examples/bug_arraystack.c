/* bug_arraystack.c -- a stack in an array, written without other threads in mind. */
#include <linchpin.h>
#include <stdatomic.h>

static atomic_long item[8];
static atomic_int top;

LP_SPEC("stack")
LP_METHOD(push, v) { item[top++] = v; return LP_VOID; }
LP_METHOD(pop)
{
	int t = top;
	while (t > 0)
		if (atomic_compare_exchange_strong(&top, &t, t - 1))
			return item[t - 1];
	return LP_EMPTY;
}
