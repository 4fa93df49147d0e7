/* contended.c -- a stack whose calls give up if another one is at work.
 *
 * A call that does not get the flag says "full" or "empty", which is wrong of a stack and right of a contended one: the
 * call that has the flag overlaps with it.
 *
 *     -DBUG=1   a pop that finds the stack empty keeps the flag: later calls fail, and no call overlaps
 *     -DBUG=2   a push that gives up pushes nevertheless
 */
#include <stdatomic.h>
#include <linchpin.h>

#ifndef BUG
#define BUG 0
#endif
#ifndef SPEC
#define SPEC "stack:bounded=2,contended"
#endif

static atomic_flag busy = ATOMIC_FLAG_INIT;
static atomic_int count, value[2];

LP_SPEC(SPEC)

LP_METHOD(push, v)
{
	if (atomic_flag_test_and_set(&busy)) {
		if (BUG == 2 && atomic_load(&count) == 0)
			atomic_store(&count, 1);
		return false;
	}
	const int n = atomic_load(&count);
	if (n < 2) {
		atomic_store(&value[n], (int)v);
		atomic_store(&count, n + 1);
	}
	atomic_flag_clear(&busy);
	return n < 2;
}

LP_METHOD(pop)
{
	if (atomic_flag_test_and_set(&busy))
		return LP_EMPTY;
	const int n = atomic_load(&count);
	const long top = n ? atomic_load(&value[n - 1]) : LP_EMPTY;
	if (n)
		atomic_store(&count, n - 1);
	if (n || BUG != 1)
		atomic_flag_clear(&busy);
	return top;
}
