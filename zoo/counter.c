/* counter.c -- the counter of Liu et al. (TSE 2013): Treiber's stack without its nodes.
 *
 * push counts up unless it is at SIZE, pop counts down and returns what it was; 0 if there
 * was nothing.  As a stack in which all values are equal, this is a counter.
 *
 *     -DSIZE=4   it counts to
 *     -DCALLS=n  a thread makes no more calls than that (default: forever)
 *     -DBUG=1    pop stores instead of comparing and swapping
 *     -DPOINTS   calls say where they take effect; =2: push says so too early
 */
#include <linchpin.h>
#include <stdatomic.h>

#ifndef SIZE
#define SIZE 4
#endif
#ifndef BUG
#define BUG 0
#endif
_Static_assert(BUG >= 0 && BUG <= 1, "there is no such BUG");

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

#ifndef POINTS
#define POINTS 0
#endif
_Static_assert(POINTS >= 0 && POINTS <= 2, "POINTS is 0 to 2");

static _Atomic int top;

#ifdef CALLS
void __VERIFIER_assume(int);
static _Thread_local int calls;
#define COUNT_CALL() __VERIFIER_assume(calls++ < CALLS)
#else
#define COUNT_CALL() ((void)0)
#endif

/* Its value, which is the result, too. */
static int64_t point(int64_t result)
{
	if (POINTS)
		LP_POINT(result);
	return result;
}

LP_SPEC("stack:bounded=" TEXT(SIZE))
LP_ARGS("push 1")

LP_METHOD(push, v)
{
	(void)v;
	COUNT_CALL();
	for (;;) {
		int n = top;
		if (n == SIZE)
			return point(0);
		if (POINTS == 2)
			point(1);
		if (atomic_compare_exchange_strong(&top, &n, n + 1))
			return POINTS == 2 ? 1 : point(1);
	}
}

LP_METHOD(pop)
{
	COUNT_CALL();
	for (;;) {
		int n = top;
		if (n == 0)
			return point(LP_EMPTY);
		if (BUG == 1) {
			top = n - 1;
			return point(1);
		}
		if (atomic_compare_exchange_strong(&top, &n, n - 1))
			return point(1);
	}
}
