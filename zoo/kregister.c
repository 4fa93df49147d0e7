/* kregister.c -- a register of K values made of K bits (Vidyasankar 1988; Lynch, section 13).
 *
 * The value is the lowest bit that is set.  One thread writes: it sets the new bit, then
 * clears those below, downwards.  Readers go up to the first bit that is set, then down
 * again, keeping the lowest that is.  Without the way down a later read can return an
 * earlier value.
 *
 *     -DK=4      so many values, up to 16
 *     -DCALLS=n  a thread makes no more calls than that (default: forever)
 *     -DBUG=1    readers do not go down again
 *     -DBUG=2    the writer clears before it sets
 */
#include <linchpin.h>
#include <stdatomic.h>

#include "parts/upto.h"

#ifndef K
#define K 4
#endif
#ifndef BUG
#define BUG 0
#endif
_Static_assert(BUG >= 0 && BUG <= 2, "there is no such BUG");

static _Atomic unsigned char bit[K];

#ifdef CALLS
void __VERIFIER_assume(int);
static _Thread_local int calls;
#define COUNT_CALL() __VERIFIER_assume(calls++ < CALLS)
#else
#define COUNT_CALL() ((void)0)
#endif

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

LP_SPEC("register:k=" TEXT(K))
LP_ROLE("write")
LP_ARGS("write " UPTO(K))

LP_SETUP { bit[0] = 1; }

LP_METHOD(write, v)
{
	COUNT_CALL();
	if (BUG == 2) {
		for (int i = (int)v - 1; i >= 0; i--)
			bit[i] = 0;
		bit[v] = 1;
		return LP_VOID;
	}
	bit[v] = 1;
	for (int i = (int)v - 1; i >= 0; i--)
		bit[i] = 0;
	return LP_VOID;
}

LP_METHOD(read)
{
	int i = 0, v;

	COUNT_CALL();
	while (i < K - 1 && !bit[i])
		i++;
	v = i;
	for (int j = i - 1; BUG != 1 && j >= 0; j--)
		if (bit[j])
			v = j;
	return v;
}
