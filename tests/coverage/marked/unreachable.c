/* options: check --ops 3
 * A branch that is never taken, one that ends in an error, and a helper that nothing calls. */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int n;

static void never_called(void)  /* @- */
{
	atomic_store(&n, 7);        /* @- */
}

void (*kept)(void) = never_called;

static int increment(void)      /* @+ */
{
	const int old = atomic_fetch_add(&n, 1);  /* @+ */
	if (old < 0)                /* @+ never +1 */
		return -1;              /* @- */
	if (old > 1000000)          /* @+ */
		abort();                /* @fails */
	assert(old >= 0);           /* @+ */
	return old + 1;             /* @+ */
}

#include <linchpin.h>

LP_SPEC("counter")
LP_METHOD(increment_fetch) { return increment(); }  /* @+ */
