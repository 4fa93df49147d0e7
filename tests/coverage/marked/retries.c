/* options: check --ops 2
 * Redundant iterations, failures without reason, and spinning: what is executed before it is pruned counts. */
#include <linchpin.h>
#include <stdatomic.h>

static atomic_int lock, n;

static int waited;

static int increment(void)
{
	int old;
	while (atomic_exchange_explicit(&lock, 1, memory_order_acquire)) {  /* @+ */
		while (atomic_load_explicit(&lock, memory_order_relaxed))       /* @+ */
			;
		continue;                                                       /* @+ */
	}
	old = atomic_load_explicit(&n, memory_order_relaxed);               /* @+ */
	while (!atomic_compare_exchange_weak(&n, &old, old + 1)) {          /* @+ */
		if (old > 5)                                                    /* @+ never +1 */
			waited = 1;                                                 /* @- */
	}
	atomic_store_explicit(&lock, 0, memory_order_release);              /* @+ */
	return old + 1;                                                     /* @+ */
}

LP_SPEC("counter")
LP_METHOD(increment_fetch) { return increment(); }
