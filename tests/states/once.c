/* once.c -- a queue of one place that returns another value if 1 was enqueued twice.  With --once that is not seen. */
#include <linchpin.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

static _Atomic int64_t place;
static _Atomic unsigned ones;

LP_SPEC("queue")

LP_METHOD(enqueue, v)
{
	int64_t nothing = 0;

	if (v == 1 && ones < 2)
		ones++;
	__VERIFIER_assume(atomic_compare_exchange_strong(&place, &nothing, v));
	return LP_VOID;
}

LP_METHOD(dequeue)
{
	const int64_t v = atomic_exchange(&place, 0);

	return !v ? LP_EMPTY : ones == 2 ? 3 - v : v;
}
